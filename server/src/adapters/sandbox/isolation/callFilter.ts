// Builds a filter of system calls for seccomp(2), in the form that the kernel reads: a program of classic BPF, see
// bpf(4). Namespaces isolate files, processes and the network. The filter closes further parts of the kernel: those
// without namespaces, and those that checks do not need and in which most kernel vulnerabilities were found.

import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Mechanism } from './mechanism.ts';

/** The constants of a processor architecture that the filter needs. */
interface Architecture {
  /** A constant AUDIT_ARCH_*. */
  readonly auditConstant: number;
  /** Number of the call socket(2). */
  readonly socket: number;
  /** Number of the call ioctl(2). */
  readonly ioctl: number;
  /** Calls that are refused with any arguments. */
  readonly refusedCalls: readonly number[];
  /**
   * The number from which on the calls belong to a second binary interface (on x64, that of x32); null if there is
   * none. All of them are refused.
   */
  readonly otherInterfaceStart: number | null;
}

/** These calls have the same numbers on all architectures: io_uring_setup, io_uring_enter, io_uring_register. */
const IO_URING = [425, 426, 427];

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, Architecture>>> = {
  x64: {
    auditConstant: 0xc000003e,
    socket: 41,
    ioctl: 16,
    // add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd
    refusedCalls: [248, 249, 250, 298, 321, 323, ...IO_URING],
    otherInterfaceStart: 0x40000000,
  },
  arm64: {
    auditConstant: 0xc00000b7,
    socket: 198,
    ioctl: 29,
    // add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd
    refusedCalls: [217, 218, 219, 241, 280, 282, ...IO_URING],
    otherInterfaceStart: null,
  },
};

/** Kinds of sockets that programs need, and that belong to a network namespace: unix, IPv4, IPv6, netlink. */
const ALLOWED_SOCKETS = [1, 2, 10, 16];
/** Requests with which a program types on another program's terminal: TIOCSTI, TIOCLINUX. */
const TERMINAL_INPUT_REQUESTS = [0x5412, 0x541c];

const EPERM = 1;
const EAFNOSUPPORT = 97;

// Instructions of classic BPF (linux/bpf_common.h), and offsets in struct seccomp_data.
const BPF_LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const BPF_RETURN = 0x06;
const SECCOMP_ALLOW = 0x7fff0000;
const SECCOMP_REFUSE = 0x00050000;
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const argumentOffset = (index: number) => 16 + 8 * index;

type Instruction = readonly [code: number, value: number, skipIfTrue?: number, skipIfFalse?: number];

/**
 * The filter for an architecture; null if its system call numbers are not known here. Calls of any other architecture,
 * which include all 32-bit calls, are refused.
 */
export function createCallFilter(architecture: NodeJS.Architecture = process.arch): Buffer | null {
  const constants = ARCHITECTURES[architecture];
  if (!constants) return null;
  const refuse: Instruction = [BPF_RETURN, SECCOMP_REFUSE | EPERM];
  const allow: Instruction = [BPF_RETURN, SECCOMP_ALLOW];
  const program: Instruction[] = [
    [BPF_LOAD, ARCHITECTURE_OFFSET],
    [IF_EQUAL, constants.auditConstant, 1, 0],
    refuse,
    [BPF_LOAD, NUMBER_OFFSET],
    ...(constants.otherInterfaceStart === null
      ? []
      : ([[IF_AT_LEAST, constants.otherInterfaceStart, 0, 1], refuse] as const)),
    ...constants.refusedCalls.flatMap((number): Instruction[] => [[IF_EQUAL, number, 0, 1], refuse]),
    // The kernel reads only the lower half of the argument in both of these calls.
    [IF_EQUAL, constants.socket, 0, ALLOWED_SOCKETS.length * 2 + 2],
    [BPF_LOAD, argumentOffset(0)],
    ...ALLOWED_SOCKETS.flatMap((kind): Instruction[] => [[IF_EQUAL, kind, 0, 1], allow]),
    [BPF_RETURN, SECCOMP_REFUSE | EAFNOSUPPORT],
    [IF_EQUAL, constants.ioctl, 0, TERMINAL_INPUT_REQUESTS.length * 2 + 1],
    [BPF_LOAD, argumentOffset(1)],
    ...TERMINAL_INPUT_REQUESTS.flatMap((request): Instruction[] => [[IF_EQUAL, request, 0, 1], refuse]),
    allow,
  ];
  return Buffer.concat(program.map(encodeInstruction));
}

/**
 * Writes the filter into a file in `folder`, and returns its path. Null if the mechanism cannot pass a filter on, if
 * the kernel supports none, or if the architecture is unknown.
 */
export async function writeCallFilter(mechanism: Mechanism, folder: string): Promise<string | null> {
  const bytes = mechanism.filtersCalls && canKernelFilter() ? createCallFilter() : null;
  if (bytes === null) return null;
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'calls');
  await writeFile(file, bytes);
  return file;
}

/** A description of the filter for system calls on this machine, as a part of a sentence. */
export function describeCallFilter(mechanism: Mechanism): string {
  if (mechanism.kind === 'container') return 'system calls filtered by the container engine';
  const isFiltered = mechanism.filtersCalls && canKernelFilter() && createCallFilter() !== null;
  return isFiltered ? 'dangerous system calls refused' : 'system calls not filtered';
}

/** False if the kernel was built without seccomp filters. */
function canKernelFilter(): boolean {
  return existsSync('/proc/sys/kernel/seccomp/actions_avail');
}

/** A struct sock_filter; both architectures are little-endian. */
function encodeInstruction([code, value, skipIfTrue = 0, skipIfFalse = 0]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(skipIfTrue, 2);
  bytes.writeUInt8(skipIfFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
