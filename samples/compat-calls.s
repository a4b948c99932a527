# SPDX-License-Identifier: GPL-2.0-or-later
# compat-calls [WAIT] - a 32-bit program for a 64-bit x86 kernel: 50 getpid, 10 poll and 20 pselect6 of 1 ms; any
# argument: after it has read a byte. In assembler, for a compiler of 32-bit programs is on few machines.
	.data
	.balign 4
timeout:
	.long 0, 0
byte:
	.long 0

	.text
	.globl _start
_start:
	cmpl $1, (%esp)			# argc
	je getpids
	mov $3, %eax			# read(0, &byte, 1)
	xor %ebx, %ebx
	mov $byte, %ecx
	mov $1, %edx
	int $0x80
	xor %ecx, %ecx			# no address is left over in what follows
	xor %edx, %edx
getpids:
	push $50
1:	mov $20, %eax			# getpid()
	int $0x80
	decl (%esp)
	jnz 1b

	movl $10, (%esp)
2:	mov $168, %eax			# poll(NULL, 0, 1)
	xor %ebx, %ebx
	xor %ecx, %ecx
	mov $1, %edx
	int $0x80
	decl (%esp)
	jnz 2b

	movl $20, (%esp)
3:	movl $1000000, timeout + 4	# the kernel writes what was left
	mov $308, %eax			# pselect6(0, NULL, NULL, NULL, &timeout, NULL)
	xor %ebx, %ebx
	xor %ecx, %ecx
	xor %edx, %edx
	xor %esi, %esi
	mov $timeout, %edi
	xor %ebp, %ebp
	int $0x80
	decl (%esp)
	jnz 3b

	mov $1, %eax			# exit(0)
	xor %ebx, %ebx
	int $0x80
	.section .note.GNU-stack, "", @progbits
