// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * guest: a machine of KVM with one virtual CPU and one page of memory, whose code in real mode
 * writes to a port 100 times and halts. It is left 100 times for the port and once to halt, and
 * once more since its page is not there when it is touched first.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <linux/kvm.h>

#define PAGE 4096
#define ADDRESS 0x1000

static const unsigned char code[] = {
	0xb9, 100,  0, /* mov $100, %cx */
	0xe6, 0x10,    /* again: out %al, $0x10 */
	0xe2, 0xfc,    /* loop again */
	0xf4,          /* hlt */
};

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* The virtual CPU begins at the code. Return: 0, or -1 and errno. */
static int begin_at_code(int cpu)
{
	struct kvm_regs regs = { .rip = ADDRESS, .rflags = 2 };
	struct kvm_sregs sregs;

	if (ioctl(cpu, KVM_GET_SREGS, &sregs))
		return -1;
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	if (ioctl(cpu, KVM_SET_SREGS, &sregs))
		return -1;
	return ioctl(cpu, KVM_SET_REGS, &regs);
}

/* Return the number of writes to the port until the halt, or -1. */
static int run(int cpu, const struct kvm_run *state)
{
	int writes = 0;

	while (!ioctl(cpu, KVM_RUN, 0)) {
		if (state->exit_reason == KVM_EXIT_HLT)
			return writes;
		if (state->exit_reason != KVM_EXIT_IO)
			break;
		writes++;
	}
	fprintf(stderr, "guest: left for reason %u\n", state->exit_reason);
	return -1;
}

int main(void)
{
	int kvm = open("/dev/kvm", O_RDWR), vm, cpu, size;
	unsigned char *page =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region memory = { .guest_phys_addr = ADDRESS,
						      .memory_size = PAGE,
						      .userspace_addr = (unsigned long)page };
	struct kvm_run *state;

	if (kvm < 0 || page == MAP_FAILED)
		return fail("/dev/kvm");
	memcpy(page, code, sizeof(code));
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (vm < 0 || ioctl(vm, KVM_SET_USER_MEMORY_REGION, &memory))
		return fail("KVM_CREATE_VM");
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (cpu < 0 || size < 0)
		return fail("KVM_CREATE_VCPU");
	state = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (state == MAP_FAILED || begin_at_code(cpu))
		return fail("guest");
	return run(cpu, state) != 100;
}
#else
int main(void)
{
	fputs("guest: there is no code for this machine\n", stderr);
	return 1;
}
#endif
