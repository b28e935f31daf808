! SPDX-License-Identifier: MIT
! apart.f90 - three arrays that one line allocates
program apart
  implicit none
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: i, k, n
  real(8) :: s

  n = 2000000
  s = 0
  k = 1
  allocate(a(n), b(n), c(n))
  a = 1
  b = 2
  c = 3
  do i = 1, 3 * n
    k = mod(k * 1103 + 12345, n) + 1
    s = s + a(k) + b(n + 1 - k) + c(k)
  end do
  print *, s
end program
