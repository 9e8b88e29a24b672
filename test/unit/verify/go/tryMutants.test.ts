// The program that tries mutants of Go, by itself: real packages, built and run as in the sandbox.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ACTIVE_MUTANT_VARIABLE } from '../../../../server/src/adapters/harness/go/mutantFiles.ts';
import { locateHarness } from '../../../../server/src/app/programPaths.ts';
import { isTestEdit } from '../../../../server/src/core/paths/testEdits.ts';
import { findGoMutants } from '../../../../server/src/core/verify/guard/go/findMutants.ts';
import type { GoLine, GoMutationRequest } from '../../../../server/src/core/verify/guard/go/goMutationOrder.ts';
import { createTemporaryRepository } from '../../../helpers/temporaryRepository.ts';
import { thoroughTest } from '../../../helpers/thorough.ts';
import { parser } from '../../index/support.ts';

/** What becomes of the mutants of `path`, as `change: fate`. */
async function fates(files: Readonly<Record<string, string>>, path: string, more: Partial<GoMutationRequest> = {}) {
  const folder = await createTemporaryRepository(
    { 'go.mod': 'module example.com/m\n\ngo 1.18\n', ...files },
    { git: false },
  );
  try {
    return await fatesIn(folder.dir, files[path]!, path, more);
  } finally {
    await folder.dispose();
  }
}

async function fatesIn(root: string, text: string, path: string, more: Partial<GoMutationRequest>) {
  const found = await findGoMutants(parser, [{ path, before: '', after: text }], isTestEdit);
  const mutants = found.flatMap(({ go, start, end, text: code }, number) =>
    go ? [{ ...go, number, path, start, end, text: code }] : [],
  );
  const words = { build: [], packages: ['./...'], test: [], args: [] };
  const order: GoMutationRequest = {
    ...{ go: true, root, buildMillis: 120_000, millis: 120_000, results: 'results', ...words },
    ...{ files: [{ path, text }], mutants, ...more },
  };
  await writeFile(join(root, 'order.json'), JSON.stringify(order));
  const [program = '', ...given] = locateHarness(false).command;
  await promisify(execFile)(program, [...given, join(root, 'order.json')], { cwd: root });
  const lines = (await readFile(join(root, 'results'), 'utf8')).trim().split('\n');
  expect(await readFile(join(root, path), 'utf8')).toBe(text);
  return lines
    .map((line) => JSON.parse(line) as GoLine)
    .map(({ mutant, fate, by }) => `${found[mutant]!.shown}: ${fate}${by === undefined ? '' : ` (${by})`}`);
}

const abs = `package m

func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
`;

thoroughTest('a program that a test builds contains the mutants, and lines keep their numbers', async () => {
  const main = `package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stdout, os.Args[1])
		os.Exit(3)
	}
	panic("nobody")
}
`;
  const test = `package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	if out, err := exec.Command(program, "you").CombinedOutput(); string(out) != "you\\n" || err == nil {
		t.Fatal(string(out))
	}
	if out, _ := exec.Command(program).CombinedOutput(); !strings.Contains(string(out), "main.go:13") {
		t.Fatal(string(out))
	}
}
`;
  expect(await fates({ 'cmd/main.go': main, 'cmd/main_test.go': test }, 'cmd/main.go')).toEqual([
    'len(os.Args) > 1 → !(len(os.Args) > 1): noticed (TestProgram)',
    '> → >=: noticed (TestProgram)',
    '> → <=: noticed (TestProgram)',
    '1 → 2: noticed (TestProgram)',
    '1 → 0: noticed (TestProgram)',
    '1 → 2: noticed (TestProgram)',
    '1 → 0: noticed (TestProgram)',
    'os.Exit(3) → nothing: noticed (TestProgram)',
    '3 → 4: survived',
    '3 → 2: survived',
    'panic("nobody") → nothing: noticed (TestProgram)',
  ]);
});

test('tests that fail without a mutant, by chance, or only together with others', async () => {
  const before = `package m

import "testing"

var seen int

func TestRed(t *testing.T) { t.Fatal() }

func TestFirst(t *testing.T) { seen = Abs(-2) }

func TestSecond(t *testing.T) {
	if seen != 2 {
		t.Fatal(seen)
	}
}
`;
  expect(await fates({ 'abs.go': abs, 'abs_test.go': before }, 'abs.go')).toEqual([
    'n < 0 → !(n < 0): own',
    '< → <=: survived',
    '< → >=: own',
    '0 → 1: survived',
    '-n → 0: own',
    '-n → (n): own',
    'n → 0: unreached',
  ]);
});

test('a notice by chance is none, and the tests that the command selects stay selected', async () => {
  // Fails once with a mutant; the other subtest would notice each one.
  const tests = `package m

import (
	"os"
	"testing"
)

func TestAbs(t *testing.T) {
	t.Run("one", func(t *testing.T) {
		Abs(-2)
		_, err := os.Stat("failed")
		if os.Getenv("${ACTIVE_MUTANT_VARIABLE}") != "" && err != nil {
			os.WriteFile("failed", nil, 0o600)
			t.Fatal()
		}
	})
	t.Run("two", func(t *testing.T) {
		if os.Getenv("${ACTIVE_MUTANT_VARIABLE}") != "" {
			t.Fatal()
		}
	})
}
`;
  const found = await fates({ 'abs.go': abs, 'abs_test.go': tests }, 'abs.go', { test: ['-test.run=TestAbs/one'] });
  expect(found.map((one) => one.replace(/^.*: /, ''))).toEqual([
    'own',
    ...Array.from({ length: 5 }, () => 'survived'),
    'unreached',
  ]);
});

test('what does not compile, does not end, or returns nothing', async () => {
  const loop = `package m

func Loop(n int8) (sum int8) {
	for n > 0 {
		if n == 126+1 {
			break
		}
		n--
		sum += n
	}
	return sum
}
`;
  const tests =
    'package m\n\nimport "testing"\n\nfunc TestLoop(t *testing.T) {\n\tif Loop(3) != 3 {\n\t\tt.Fatal()\n\t}\n}\n';
  const found = await fates({ 'loop.go': loop, 'loop_test.go': tests }, 'loop.go', { test: ['-test.short'] });
  expect(found).toContainEqual(expect.stringMatching(/^126 → 127: invalid \(.*overflow/));
  expect(found).toContainEqual(expect.stringMatching(/^n-- → n\+\+: (?:noticed|stopped)/));
  expect(found).toContain('break → continue: unreached');
});
