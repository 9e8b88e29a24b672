// Profiles of `go test -coverprofile` → lines and how often they ran.

import { expect, test } from 'vitest';
import { readGoProfile, keepCodeLines } from '../../../server/src/core/score/coverage/goProfile.ts';

const CODE = `package a

func F(n int) int {
	if n > 1 {

		// Large.
		return 2
	} else {
		n++
	}
	return n
}
`;
const PROFILE = `mode: count
example.com/m/p/a.go:3.19,4.11 1 3
example.com/m/p/a.go:4.11,8.3 1 0
example.com/m/p/a.go:8.8,10.3 1 1
example.com/m/p/a.go:11.2,11.10 1 3
example.com/m/p/a.go:8.8,10.3 1 2
example.com/m/p/none.go:1.1,2.2 0 0
`;

test('lines of code have counts; those of several test programs are added up', () => {
  const [file, ...more] = readGoProfile(PROFILE)!;
  expect(more).toEqual([]);
  expect(file!.path).toBe('example.com/m/p/a.go');
  expect([...keepCodeLines(file!, CODE).lines]).toEqual([
    [3, 3],
    [4, 3],
    [7, 0],
    [9, 3],
    [11, 3],
  ]);
});

test('other texts are none', () => {
  expect(readGoProfile('TN:\nSF:a.go\n')).toBeNull();
  expect(readGoProfile('mode: set\n')).toBeNull();
  expect(readGoProfile('mode: set\na line\n')).toBeNull();
});
