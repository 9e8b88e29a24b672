// Attacks on parts of the kernel that know no namespaces, or whose holes have let others out.

import type { Attack } from '../attack.ts';

/** By number, on x86-64 and on aarch64; the arguments are Perl. */
const CALLS: readonly (readonly [name: string, x64: number, arm64: number, args: string])[] = [
  ['read the keys of the session', 250, 219, '0, -3, 0'],
  ['add a key', 248, 217, '"user", "name", "value", 5, -3'],
  ['ask for a key', 249, 218, '"user", "name", 0, -3'],
  ['open an io_uring', 425, 425, '1, "\\0" x 120'],
  ['enter an io_uring', 426, 426, '0, 0, 0, 0, 0, 0'],
  ['handle page faults of its own', 323, 282, '1'],
  ['load a program into the kernel', 321, 280, '0, "\\0" x 128, 128'],
  ['count what the processor does', 298, 241, '"\\1" . "\\0" x 127, 0, -1, -1, 0'],
];

/** A family of sockets that belongs to no network namespace, or that nobody needs. */
const SOCKETS: readonly (readonly [name: string, family: number])[] = [
  ['speak to the host of the virtual machine', 40],
  ['use the ciphers of the kernel', 38],
];

export const KERNEL: readonly Attack[] = [
  ...CALLS.map(
    ([name, x64, arm64, args]): Attack => ({
      name,
      needsCallFilter: true,
      shell: `perl -MErrno -e 'my $n = \`uname -m\` =~ /aarch64/ ? ${arm64} : ${x64}; my @a = (${args}); my $r = syscall($n, @a); print "LOOT: $r $!" unless $r == -1 && $!{EPERM}'`,
    }),
  ),
  ...SOCKETS.map(
    ([name, family]): Attack => ({
      name,
      needsCallFilter: true,
      shell: `perl -MErrno -e 'my $ok = socket(my $s, ${family}, ${family === 38 ? 5 : 1}, 0); print "LOOT: $!" if $ok || !$!{EAFNOSUPPORT}'`,
    }),
  ),
];
