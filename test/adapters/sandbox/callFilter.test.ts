// The filter of system calls, by what a kernel would decide: a small interpreter of classic BPF runs the bytes.

import { expect, test } from 'vitest';
import { createCallFilter } from '../../../server/src/adapters/sandbox/isolation/callFilter.ts';

const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;

/** linux/bpf_common.h, as much as the filter uses. Runs off its end only if it is wrong. */
function decide(
  program: Buffer,
  call: { readonly number: number; readonly audit: number; readonly args?: readonly number[] },
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.audit >>> 0, 4);
  call.args?.forEach((value, at) => data.writeUInt32LE(value >>> 0, 16 + 8 * at));
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [code, yes, no] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
    ];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else throw new Error(`Unknown instruction ${code}.`);
  }
  throw new Error('The program does not end.');
}

const MACHINES = [
  {
    kind: 'x64',
    audit: 0xc000003e,
    socket: 41,
    ioctl: 16,
    refused: [248, 249, 250, 298, 321, 323, 425, 426, 427, 0x40000000, 0x40000029],
    used: [0, 1, 2, 56, 59, 435],
  },
  {
    kind: 'arm64',
    audit: 0xc00000b7,
    socket: 198,
    ioctl: 29,
    refused: [217, 218, 219, 241, 280, 282, 425, 426, 427],
    used: [56, 63, 64, 220, 221, 435],
  },
] as const;

test.each(MACHINES)(
  'on $kind: keys, io_uring, bpf, userfaultfd and perf are refused, what programs use is not',
  ({ kind, audit, refused, used, socket, ioctl }) => {
    const program = createCallFilter(kind)!;
    for (const number of refused) expect(decide(program, { number, audit }), String(number)).toBe(REFUSE | 1);
    for (const number of used) expect(decide(program, { number, audit }), String(number)).toBe(ALLOW);
    // 32-bit programs have other numbers.
    for (const other of [0x40000003, 0x40000028]) expect(decide(program, { number: 1, audit: other })).toBe(REFUSE | 1);
    for (const family of [1, 2, 10, 16]) expect(decide(program, { number: socket, audit, args: [family] })).toBe(ALLOW);
    for (const family of [17, 38, 40, 44])
      expect(decide(program, { number: socket, audit, args: [family] })).toBe(REFUSE | 97);
    for (const request of [0x5412, 0x541c])
      expect(decide(program, { number: ioctl, audit, args: [0, request] })).toBe(REFUSE | 1);
    expect(decide(program, { number: ioctl, audit, args: [0, 0x5413] })).toBe(ALLOW);
  },
);

test('where the numbers of calls are not known, there is no filter', () => {
  expect(createCallFilter('s390x')).toBeNull();
});
