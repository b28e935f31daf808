! SPDX-License-Identifier: MIT
!
! weft.f90 - regions, counters and marks of a Fortran program.
!
!   type(weft_region), save :: solve = weft_region('solve')
!   type(weft_counter), save :: queue = weft_counter('Queue length', 1)
!   type(weft_mark), save :: warm = weft_mark('Phase', 'Warming up', 2)
!
!   call weft_enter(solve)
!   call weft_count(queue, 3)
!   call weft_set(warm)
!   call weft_leave(solve)
!
! Names have at most 120 characters. Any thread may call, also those of OpenMP;
! each thread leaves the regions that it entered. Fortran 2008; compile this
! file with the program, since each compiler has module files of its own, and
! link with -lovni (pkg-config weft).
module weft
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: weft_region, weft_counter, weft_mark
  public :: weft_enter, weft_leave, weft_count, weft_set, weft_off, weft_on

  integer, parameter :: text = 120
  integer(c_int32_t), parameter :: regions = 99 ! WEFT_REGION_TYPE

  ! A named part of the program. Regions nest.
  type :: weft_region
    character(kind=c_char, len=text) :: name = ' '
    integer(c_int64_t), private :: value = 0
  end type weft_region

  ! A number over time: a mark type from 0 to 98, with its title.
  type :: weft_counter
    character(kind=c_char, len=text) :: title = ' '
    integer(c_int32_t) :: number = 0
    integer(c_int32_t), private :: is_named = 0
  end type weft_counter

  ! A named value of a mark type from 0 to 98, which holds until another mark of
  ! the type is set in the same thread.
  type :: weft_mark
    character(kind=c_char, len=text) :: title = ' '
    character(kind=c_char, len=text) :: name = ' '
    integer(c_int32_t) :: number = 0
    integer(c_int64_t), private :: value = 0
  end type weft_mark

  ! The structs of the C interface.
  type, bind(c) :: c_region
    type(c_ptr) :: name
    integer(c_int64_t) :: value
  end type c_region

  type, bind(c) :: c_counter
    type(c_ptr) :: title
    integer(c_int32_t) :: number
    integer(c_int32_t) :: is_named
  end type c_counter

  type, bind(c) :: c_mark
    type(c_ptr) :: title
    type(c_ptr) :: name
    integer(c_int64_t) :: value
    integer(c_int32_t) :: number
  end type c_mark

  interface
    subroutine record(code, value, number) bind(c, name='weft_ev_i64_i32')
      import :: c_char, c_int64_t, c_int32_t
      character(kind=c_char), intent(in) :: code(*)
      integer(c_int64_t), value :: value
      integer(c_int32_t), value :: number
    end subroutine record

    function region_name(region) result(value) bind(c, name='weft_region_name')
      import :: c_region, c_int64_t
      type(c_region), intent(inout) :: region
      integer(c_int64_t) :: value
    end function region_name

    subroutine counter_name(counter) bind(c, name='weft_counter_name')
      import :: c_counter
      type(c_counter), intent(inout) :: counter
    end subroutine counter_name

    function mark_name(mark) result(value) bind(c, name='weft_mark_name')
      import :: c_mark, c_int64_t
      type(c_mark), intent(inout) :: mark
      integer(c_int64_t) :: value
    end function mark_name

    ! Switch recording off and on again, for all threads.
    subroutine weft_off() bind(c, name='weft_off')
    end subroutine weft_off

    subroutine weft_on() bind(c, name='weft_on')
    end subroutine weft_on
  end interface

  ! Records the counter's value.
  interface weft_count
    module procedure count32, count64
  end interface weft_count

contains

  subroutine weft_enter(region)
    type(weft_region), intent(inout) :: region

    if (region%value == 0) call name_region(region)
    call record('OM['//c_null_char, region%value, regions)
  end subroutine weft_enter

  subroutine weft_leave(region)
    type(weft_region), intent(inout) :: region

    if (region%value == 0) call name_region(region)
    call record('OM]'//c_null_char, region%value, regions)
  end subroutine weft_leave

  subroutine count32(counter, value)
    type(weft_counter), intent(inout) :: counter
    integer(c_int32_t), intent(in) :: value

    call count64(counter, int(value, c_int64_t))
  end subroutine count32

  subroutine count64(counter, value)
    type(weft_counter), intent(inout) :: counter
    integer(c_int64_t), intent(in) :: value

    if (counter%is_named == 0) call name_counter(counter)
    call record('OM='//c_null_char, value, counter%number)
  end subroutine count64

  ! The mark holds until another mark of its type is set.
  subroutine weft_set(mark)
    type(weft_mark), intent(inout) :: mark

    if (mark%value == 0) call name_mark(mark)
    call record('OM='//c_null_char, mark%value, mark%number)
  end subroutine weft_set

  ! Two threads may name an object at once: both find the same value.
  subroutine name_region(region)
    type(weft_region), intent(inout) :: region
    character(kind=c_char, len=text + 1), target :: name
    type(c_region) :: c

    name = trim(region%name)//c_null_char
    c = c_region(c_loc(name), 0_c_int64_t)
    region%value = region_name(c)
  end subroutine name_region

  subroutine name_counter(counter)
    type(weft_counter), intent(inout) :: counter
    character(kind=c_char, len=text + 1), target :: title
    type(c_counter) :: c

    title = trim(counter%title)//c_null_char
    c = c_counter(c_loc(title), counter%number, 0_c_int32_t)
    call counter_name(c)
    counter%is_named = c%is_named
  end subroutine name_counter

  subroutine name_mark(mark)
    type(weft_mark), intent(inout) :: mark
    character(kind=c_char, len=text + 1), target :: title, name
    type(c_mark) :: c

    title = trim(mark%title)//c_null_char
    name = trim(mark%name)//c_null_char
    c = c_mark(c_loc(title), c_loc(name), 0_c_int64_t, mark%number)
    mark%value = mark_name(c)
  end subroutine name_mark
end module weft
