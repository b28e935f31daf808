/* SPDX-License-Identifier: MIT */
/* Tests which instruction is blamed, and its address: code with labels is
 * interrupted at each label with made-up registers. */
#include "inproc/mem/blame.h"

#include <stddef.h>

#include "inproc/code/code.h"
#include "mem/wire.h"

#include "test.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
enum { R8 = 8, R9, R10, R12 = 12, R13, R14, R15 };

/* A function that is never run: instructions as compilers write them, with a
 * label after each. */
__asm__(".text\n.globl weft_code\n.hidden weft_code\n"
	".type weft_code, @function\n"
	"weft_code:\n	.cfi_startproc\n"
	"	push %rbx\nafter_push:\n"
	"	mov 8(%rdi,%rsi,4), %rax\nafter_load:\n"
	"	mov %rax, (%rdx)\nafter_store:\n"
	"	addl $1, 16(%rcx)\nafter_modify:\n"
	"	lea 8(%rdi), %rdx\nafter_lea:\n"
	"	mov weft_word(%rip), %eax\nafter_relative:\n"
	"	mov %fs:16, %rcx\nafter_thread:\n"
	"	call weft_code\nafter_call:\n	nop\nbefore_copy:\n"
	"	rep movsb\n"
	"	cmp (%rdi), %rax\n	je 1f\nafter_compare:\n"
	"	mov 8(%rbx), %rax\n	add %rcx, %rax\n"
	"	mov (%rax), %rax\nafter_reload:\n"
	"	mov 8(%rsp), %rax\n	mov (%rax), %rax\nafter_slot:\n"
	"	mov %rbp, %rbx\n	mov 8(%rbp), %rbp\nafter_copy:\n"
	"	nop\nafter_nop:\n"
	"1:	mov (%rsi), %rcx\nafter_label:\n"
	"2:	mov (%rdi), %rdi\nafter_chase:\n"
	"	dec %rcx\n	jnz 2b\nafter_loop:\n"
	"	mov (%rsi), %rdx\n"
	"3:	add %rdx, %rax\n	dec %rcx\n	jnz 3b\n"
	"4:	mov %r14d, %r8d\n	cmp %r8d, %r12d\n"
	"	cmovb %r13, %r15\n"
	"	mov (%r9,%r15,4), %r15d\nafter_choice:\n"
	"	cmp %r11b, (%rdi)\n	jne 4b\n"
	"9:	mov (%rcx), %eax\n	sub $1, %eax\n"
	"	lea (%rax,%rsi), %r10d\n	cmovs %r10d, %eax\n"
	"	cltq\n	movzbl (%r12,%rax), %eax\nafter_wrap:\n"
	"	cmp %r11b, %al\n	jne 9b\n"
	"5:	movsd (%r8), %xmm0\nafter_row:\n"
	"	mulsd (%r9), %xmm0\nafter_column:\n"
	"	add $8, %r8\n	add %r10, %r9\n"
	"	addsd %xmm0, %xmm1\n	cmp %r11, %r8\n	jne 5b\n"
	"6:	movsd (%r8), %xmm0\nafter_lonely:\n"
	"	add $8, %r8\n	cmp %r11, %r8\n	jne 6b\n"
	"5:	mov (%r8,%rsi,8), %rax\nafter_one:\n"
	"	add (%r9,%rsi,8), %rax\nafter_other:\n"
	"	add (%r12,%rsi,8), %rax\nafter_vector:\n"
	"	add %rax, %rbx\n	add $1000, %rsi\n"
	"	cmp %r11, %rsi\n	jne 5b\n"
	"	xor %eax, %eax\n	mov (%rsi), %rdx\nafter_entry:\n"
	"7:	add %rdx, %rax\n	dec %rcx\n	jnz 7b\n"
	"	lea 1(%rax), %rdx\n	movzbl (%rax), %eax\nafter_step:\n"
	"	cmp $0, %rsi\n	je 8f\n	mov (%rsi), %rdx\n"
	"8:	mov (%rdi), %rdi\nafter_last:\n"
	"	cmp %rsi, %rdi\n	jne 8b\n"
	"9:	mov (%r12), %r12\nafter_kept:\n"
	"	mov (%r8), %r8\nafter_lost:\n	call weft_code\n"
	"	test %r12, %r12\n	jne 9b\n"
	"1:	mov -8(%rsp), %rax\n	mov (%rax), %rax\nafter_low:\n"
	"	mov %rax, -8(%rsp)\n	dec %rcx\n	jnz 1b\n"
	"2:	mov (%r13), %r13\nafter_fork:\n"
	"	dec %rcx\n	jnz 3f\n	add $8, %r13\n"
	"	dec %rdx\n	js 3f\n	add $16, %r13\n"
	"	dec %rsi\n	jp 3f\n	jmp 2b\n"
	"3:	jmp *(%r9,%rdx,8)\nafter_table:\n"
	"	pop %rbx\nafter_pop:\n"
	"	ret\n	.cfi_endproc\n	.size weft_code, .-weft_code\n"
	".data\nweft_word:	.long 7\n"
	".balign 8\nweft_table:	.quad 0, after_table\n.text\n");

#define LABEL(name) \
	extern const char name[] __attribute__((visibility("hidden")))

LABEL(weft_code);
LABEL(weft_word);
LABEL(after_push);
LABEL(after_load);
LABEL(after_store);
LABEL(after_modify);
LABEL(after_lea);
LABEL(after_relative);
LABEL(after_thread);
LABEL(after_call);
LABEL(before_copy);
LABEL(after_compare);
LABEL(after_reload);
LABEL(after_slot);
LABEL(after_copy);
LABEL(after_nop);
LABEL(after_label);
LABEL(after_chase);
LABEL(after_loop);
LABEL(after_choice);
LABEL(after_wrap);
LABEL(after_row);
LABEL(after_column);
LABEL(after_lonely);
LABEL(after_entry);
LABEL(after_step);
LABEL(after_last);
LABEL(after_one);
LABEL(after_vector);
LABEL(after_table);
LABEL(after_low);
LABEL(after_fork);
LABEL(after_kept);
LABEL(after_lost);
LABEL(weft_table);
LABEL(after_pop);

enum { STACK = 0x7000, FS = 0x4000 };

static struct registers at;
static struct stack stack;

static struct blame
at_label(const char *ip)
{
	at.ip = (uint64_t)(uintptr_t)ip;
	return blame(&at, &stack, FS, true);
}

static void
check(const char *ip, int access, int derived, uint64_t address)
{
	struct blame b = at_label(ip);

	CHECK_INT(b.access, access);
	CHECK_INT(b.derived, derived);
	CHECK_INT(b.address, address);
}

static bool
has_no_decoder(void)
{
	static int known; /* 1: there is a decoder, 2: there is none */

	if (known == 0)
		known = blame_init() ? 1 : 2;
	at = (struct registers){ .r = { [RSP] = STACK } };
	return known == 2;
}

#define NEEDS_DECODER() \
	if (has_no_decoder()) \
	TEST_SKIP("no libZydis")

TEST(operands_from_saved_registers)
{
	NEEDS_DECODER();
	at.r[RDI] = 1000;
	at.r[RSI] = 10;
	at.r[RDX] = 2000;
	at.r[RCX] = 3000;
	check(after_load, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, 1048);
	check(after_store, MEM_ACCESS_STORE, MEM_DERIVED_OPERAND, 2000);
	check(after_modify, MEM_ACCESS_MODIFY, MEM_DERIVED_OPERAND, 3016);
	check(after_relative, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND,
		(uint64_t)(uintptr_t)weft_word);
	check(after_thread, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, FS + 16);
}

TEST(the_stack_moves_with_push_pop_call_and_ret)
{
	NEEDS_DECODER();
	check(weft_code, MEM_ACCESS_STORE, MEM_DERIVED_OPERAND, STACK);
	check(after_push, MEM_ACCESS_STORE, MEM_DERIVED_OPERAND, STACK);
	check(after_call, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, STACK - 8);
	check(after_pop, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, STACK - 8);
}

/* A page fault interrupts an instruction before it has completed, and so do all
 * interrupts on some machines. */
TEST(an_instruction_that_faults_is_to_blame_itself)
{
	struct blame b;

	NEEDS_DECODER();
	at.flags = 1 << 16;
	at.r[RDX] = 2000;
	at.r[RDI] = 16;
	check(after_load, MEM_ACCESS_STORE, MEM_DERIVED_OPERAND, 2000);
	CHECK_INT(at_label(after_load).skid, 0);
	check(weft_code, MEM_ACCESS_STORE, MEM_DERIVED_OPERAND, STACK - 8);
	check(after_thread, MEM_ACCESS_STORE, MEM_DERIVED_OPERAND, STACK - 8);
	check(after_table, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, STACK);
	check(after_pop, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, STACK);
	/* no jump came here because of a null pointer, and the base that the
	 * instruction overwrites is still there */
	check(after_label, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, 16);
	at.flags = 0;
	check(after_load, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, 24);
	at.ip = (uint64_t)(uintptr_t)weft_code;
	b = blame(&at, &stack, FS, false);
	CHECK_INT(b.address, STACK - 8);
}

TEST(what_touches_no_memory_is_compute)
{
	NEEDS_DECODER();
	check(after_lea, MEM_ACCESS_COMPUTE, MEM_DERIVED_NOT, 0);
	check(after_nop, MEM_ACCESS_COMPUTE, MEM_DERIVED_NOT, 0);
	check(after_loop, MEM_ACCESS_COMPUTE, MEM_DERIVED_NOT, 0);
}

TEST(a_copy_that_goes_on_is_to_blame_itself)
{
	struct blame b;

	NEEDS_DECODER();
	at.r[RSI] = 500;
	b = at_label(before_copy);
	CHECK_INT(b.skid, 0);
	CHECK_INT(b.address, 500);
}

TEST(a_compare_and_its_jump_are_one)
{
	NEEDS_DECODER();
	at.r[RDI] = 700;
	check(after_compare, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, 700);
}

TEST(a_base_that_is_gone_is_loaded_again)
{
	uint64_t from[2] = { 0, 40000 };

	NEEDS_DECODER();
	at.r[RBX] = (uint64_t)(uintptr_t)from;
	at.r[RCX] = 24;
	check(after_reload, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 40024);
}

TEST(a_base_on_the_stack_is_read_as_it_was)
{
	uint64_t copy[2] = { 0, 60000 };

	NEEDS_DECODER();
	check(after_slot, MEM_ACCESS_LOST, MEM_DERIVED_NOT, 0);
	stack = (struct stack){ STACK, STACK + sizeof(copy), copy };
	check(after_slot, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 60000);
	stack = (struct stack){ 0 };
}

TEST(below_the_stack_pointer_is_read_while_the_frame_is_there)
{
	uint64_t now[3] = { 40000, 1, 2 }, copy[2] = { 1, 2 };

	NEEDS_DECODER();
	at.r[RSP] = (uint64_t)(uintptr_t)(now + 1);
	at.r[RAX] = 90000;
	at.r[RCX] = 7;
	stack = (struct stack){ at.r[RSP], at.r[RSP] + sizeof(copy), copy };
	check(after_low, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 40000);
	/* the return address lies in another function, but the next iteration
	 * reads the value that this iteration stored */
	copy[1] = 3;
	check(after_low, MEM_ACCESS_LOAD, MEM_DERIVED_NEXT, 90000);
	stack = (struct stack){ 0 };
}

TEST(a_base_that_was_copied_is_known)
{
	NEEDS_DECODER();
	at.r[RBX] = 5000;
	check(after_copy, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 5008);
}

TEST(a_chain_is_followed_to_its_next_round)
{
	NEEDS_DECODER();
	at.r[RDI] = 90000; /* the register holds the next element already */
	check(after_chase, MEM_ACCESS_LOAD, MEM_DERIVED_NEXT, 90000);
	at.r[RDI] = 0;
	check(after_chase, MEM_ACCESS_LOST, MEM_DERIVED_NOT, 0);
}

TEST(a_move_on_a_condition_is_followed)
{
	NEEDS_DECODER();
	at.r[R9] = 70000;
	at.r[R12] = 1;
	at.r[R13] = 10;
	at.r[R14] = 2;
	at.r[R15] = 20;
	check(after_choice, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 70040);
	at.r[R14] = 1;
	check(after_choice, MEM_ACCESS_LOAD, MEM_DERIVED_NEXT, 70080);
}

TEST(a_subtraction_decides_a_move_on_a_condition)
{
	static const uint32_t first[] = { 8, 0 };

	NEEDS_DECODER();
	at.r[R12] = 5000;
	at.r[RSI] = 100;
	at.r[RCX] = (uint64_t)(uintptr_t)&first[0];
	check(after_wrap, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 5007);
	at.r[RCX] = (uint64_t)(uintptr_t)&first[1];
	check(after_wrap, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 5099);
}

TEST(a_label_of_a_loop_is_ambiguous)
{
	NEEDS_DECODER();
	at.r[RSI] = 800;
	check(after_label, MEM_ACCESS_AMBIGUOUS, MEM_DERIVED_NOT, 0);
}

/* Samples the instruction with the address of each array element. Returns how
 * many of these samples count for their load. */
static int
waits(const char *ip, int elements)
{
	int n = 0;

	for (int i = 0; i < elements; i++) {
		at.r[R8] = 0x10000 + 8 * (uint64_t)i;
		n += at_label(ip).access == MEM_ACCESS_LOAD;
	}
	return n;
}

TEST(beside_another_array_lines_at_hand_do_not_count)
{
	int n = 0;

	NEEDS_DECODER();
	at.r[R10] = 4800;
	waits(after_row, 4); /* the first samples only teach the stride */
	CHECK(waits(after_row, 800) <= 1);
	CHECK_INT(waits(after_column, 800), 800);
	CHECK_INT(waits(after_lonely, 800), 800);
	for (int i = 0; i < 100; i++) { /* samples at new cache lines only: the
		                         * load really waits */
		at.r[R8] = 0x20000 + 64 * (uint64_t)i;
		n += at_label(after_row).access == MEM_ACCESS_LOAD;
	}
	CHECK(n > 75);
}

/* Samples loads of a row, of another row, and of a vector that begins anew for
 * each row. Counts to which of them the samples are charged. */
static void
charge(const char *ip, int samples, int count[3])
{
	for (int i = 0; i < samples; i++) {
		uint64_t address;

		at.r[RSI] = 1000 * (uint64_t)i;
		at.r[R8] = 0x10000000;
		at.r[R9] = 0x20000000;
		at.r[R12] = 0x30000000 + 8 * (uint64_t)(i % 64) - 8 * at.r[RSI];
		address = at_label(ip).address;
		count[(address >> 28) - 1]++;
	}
}

TEST(loads_with_one_index_are_charged_in_turns)
{
	int rows[3] = { 0 }, vector[3] = { 0 };

	NEEDS_DECODER();
	charge(after_one, 17,
		rows); /* the first samples only teach which loads are twins */
	CHECK_INT(rows[0], 17);
	charge(after_one, 100, rows);
	CHECK(rows[0] >= 17 + 45 && rows[1] >= 45);
	CHECK_INT(rows[2], 0);
	charge(after_vector, 100, vector);
	CHECK_INT(vector[2], 100);
}

TEST(registers_and_flags_tell_a_round_of_a_loop_from_its_first)
{
	uint64_t word = 9;

	NEEDS_DECODER();
	at.r[RSI] = (uint64_t)(uintptr_t)&word;
	at.r[RDX] = word;
	check(after_entry, MEM_ACCESS_AMBIGUOUS, MEM_DERIVED_NOT, 0);
	at.flags = 1 << 6; /* zero: the jump is not taken */
	check(after_entry, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, at.r[RSI]);
	at.r[RAX] = 18; /* the register shows that the loop has run */
	check(after_entry, MEM_ACCESS_COMPUTE, MEM_DERIVED_NOT, 0);
}

TEST(a_base_is_told_from_what_was_made_of_it)
{
	NEEDS_DECODER();
	at.r[RDX] = 7001;
	check(after_step, MEM_ACCESS_LOAD, MEM_DERIVED_RELOADED, 7000);
}

TEST(a_chain_that_has_ended_has_no_next_round)
{
	NEEDS_DECODER();
	at.r[RDI] = 90000;
	at.r[RSI] = 80000;
	check(after_last, MEM_ACCESS_LOAD, MEM_DERIVED_NEXT, 90000);
	at.r[RSI] = at.r[RDI];
	check(after_last, MEM_ACCESS_LOST, MEM_DERIVED_NOT, 0);
}

TEST(a_chain_in_a_register_that_calls_keep_is_followed)
{
	NEEDS_DECODER();
	at.r[R8] = at.r[R12] = 90000;
	check(after_kept, MEM_ACCESS_LOAD, MEM_DERIVED_NEXT, 90000);
	check(after_lost, MEM_ACCESS_LOST, MEM_DERIVED_NOT, 0);
}

TEST(of_ways_that_part_the_one_that_comes_round_is_followed)
{
	NEEDS_DECODER();
	at.r[R13] = 90000;
	check(after_fork, MEM_ACCESS_LOAD, MEM_DERIVED_NEXT, 90024);
}

TEST(jumps_are_found_where_decoding_finds_them)
{
	const struct code *c;
	struct instruction i;
	uint64_t ip;
	int left;

	NEEDS_DECODER();
	c = code_at((uint64_t)(uintptr_t)weft_code);
	CHECK(c != NULL);
	left = code_count(c, c->lo, c->hi);
	for (ip = c->lo; ip < c->hi && code_decode(c, ip, &i); left--) {
		uint64_t to = code_jump(&i), end = ip + i.is.length;
		uint64_t next = code_next_jump(c, ip, c->hi);
		bool leads = to >= c->lo && to < c->hi;

		CHECK_INT(code_count(c, ip, end), 1);
		CHECK_INT(code_count(c, ip, c->hi), left);
		CHECK((next == ip) == leads);
		CHECK(code_next_jump(c, ip, end) == (leads ? ip : 0));
		CHECK(leads || next == code_next_jump(c, end, c->hi));
		ip = end;
	}
	CHECK(ip == c->hi);
	CHECK_INT(left, 0);
}

TEST(an_entry_of_a_table_led_here)
{
	uint64_t table = (uint64_t)(uintptr_t)weft_table;

	NEEDS_DECODER();
	at.r[R9] = table;
	at.r[RDX] = 1;
	check(after_table, MEM_ACCESS_LOAD, MEM_DERIVED_OPERAND, table + 8);
	at.r[RDX] = 0;
	check(after_table, MEM_ACCESS_COMPUTE, MEM_DERIVED_NOT, 0);
}

TEST(code_that_nobody_knows_is_ambiguous)
{
	NEEDS_DECODER();
	check((const char *)&at, MEM_ACCESS_AMBIGUOUS, MEM_DERIVED_NOT, 0);
	check(after_load + 1, MEM_ACCESS_AMBIGUOUS, MEM_DERIVED_NOT, 0);
}

TEST_MAIN(RUN(operands_from_saved_registers),
	RUN(the_stack_moves_with_push_pop_call_and_ret),
	RUN(an_instruction_that_faults_is_to_blame_itself),
	RUN(what_touches_no_memory_is_compute),
	RUN(a_copy_that_goes_on_is_to_blame_itself),
	RUN(a_compare_and_its_jump_are_one),
	RUN(a_base_that_is_gone_is_loaded_again),
	RUN(a_base_on_the_stack_is_read_as_it_was),
	RUN(below_the_stack_pointer_is_read_while_the_frame_is_there),
	RUN(a_base_that_was_copied_is_known),
	RUN(a_chain_is_followed_to_its_next_round),
	RUN(a_move_on_a_condition_is_followed),
	RUN(a_subtraction_decides_a_move_on_a_condition),
	RUN(a_label_of_a_loop_is_ambiguous),
	RUN(beside_another_array_lines_at_hand_do_not_count),
	RUN(loads_with_one_index_are_charged_in_turns),
	RUN(registers_and_flags_tell_a_round_of_a_loop_from_its_first),
	RUN(a_base_is_told_from_what_was_made_of_it),
	RUN(a_chain_that_has_ended_has_no_next_round),
	RUN(a_chain_in_a_register_that_calls_keep_is_followed),
	RUN(of_ways_that_part_the_one_that_comes_round_is_followed),
	RUN(jumps_are_found_where_decoding_finds_them),
	RUN(an_entry_of_a_table_led_here),
	RUN(code_that_nobody_knows_is_ambiguous))
