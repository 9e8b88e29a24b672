// Calls that show mutants of Go functions, and the tests that record them: by the program itself, with the real `go`.

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCalls } from '../../../server/src/adapters/harness/go/makeCalls.ts';
import { chooseGoCalls } from '../../../server/src/core/verify/guard/go/calls/choose.ts';
import { planGoCalls } from '../../../server/src/core/verify/guard/go/calls/planCalls.ts';
import { createCallsProgram } from '../../../server/src/core/verify/guard/go/calls/program.ts';
import { writeGoTest } from '../../../server/src/core/verify/guard/go/calls/writeTest.ts';
import { findGoMutants } from '../../../server/src/core/verify/guard/go/findMutants.ts';
import { applySplices } from '../../../server/src/core/verify/guard/unguarded.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { parser } from '../../unit/index/support.ts';

const CODE = `package shop

import (
	"errors"
	"os"
	"strings"
)

// Price is an amount.
type Price struct{ cents int }

func NewPrice(cents int) (*Price, error) {
	if cents < 0 {
		return nil, errors.New("negative")
	}
	return &Price{cents}, nil
}

func (p *Price) Less(other *Price) bool { return p.cents < other.cents }

func Words(text string) []string { return strings.Split(text, "-") }

func Home() string { return os.Getenv("HOME") + "x" }

func Deep() string { return Home() + "y" }
`;
const TEST = `package shop

import "testing"

func TestNewPrice(t *testing.T) {
	for _, tc := range []struct {
		cents int
		fails bool
	}{{7, false}, {-2, true}} {
		if _, err := NewPrice(tc.cents); (err != nil) != tc.fails {
			t.Error(tc.cents)
		}
	}
}

func TestWords(t *testing.T) { Words("a-b") }
`;

test('calls show mutants, and the written tests pass on the code as it is and notice a mutant', async () => {
  const files = { 'go.mod': 'module example.com/shop\n\ngo 1.16\n', 'shop.go': CODE, 'shop_test.go': TEST };
  const repository = await createTemporaryRepository(files);
  try {
    const sources = [{ path: 'shop.go', text: CODE }];
    const found = await findGoMutants(parser, [{ path: 'shop.go', before: '', after: CODE }], () => false);
    const plan = (await planGoCalls(parser, {
      folder: '',
      files: [...sources, { path: 'shop_test.go', text: TEST }],
      paths: ['shop.go'],
    }))!;
    expect(plan.leftOut).toEqual([
      { path: 'shop.go', name: 'Home', reason: 'It uses os.Getenv.' },
      { path: 'shop.go', name: 'Deep', reason: 'It uses os.Getenv.' },
    ]);
    const report = await makeCalls({
      ...{ goCalls: true, root: repository.dir, build: [], env: {}, files: sources, folder: '' },
      mutants: found.flatMap(({ path, start, end, text, go }, number) =>
        go ? [{ number, path, start, end, text, ...go }] : [],
      ),
      ...{ program: createCallsProgram(plan), tests: ['shop_test.go'], budgetMs: 120_000 },
    });
    expect(report).toMatchObject({ obstacle: null, isOutOfTime: false });
    const chosen = chooseGoCalls(plan, report, (mutant) => found[mutant]!, 5);
    expect(chosen.map(({ subject }) => subject.name)).toEqual(['NewPrice', 'Price.Less', 'Words']);

    const go = () => {
      try {
        return execFileSync('go', ['test', './...'], { cwd: repository.dir, encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        return String((error as { readonly stdout?: string }).stdout);
      }
    };
    for (const [one, fault] of [
      [chosen[1]!, ['p.cents < other.cents', 'p.cents <= other.cents']],
      [chosen[2]!, ['strings.Split(text, "-")', 'strings.Split(text, "")']],
    ] as const) {
      const written = writeGoTest(plan, one);
      if ('refused' in written) throw new Error(written.refused);
      const text = applySplices(TEST, written.splices ?? []);
      await writeFile(join(repository.dir, written.path), text);
      expect(execFileSync('gofmt', ['-l', '.'], { cwd: repository.dir, encoding: 'utf8' })).toBe('');
      expect(go()).toMatch(/^ok /m);
      await writeFile(join(repository.dir, 'shop.go'), CODE.replace(fault[0], fault[1]));
      expect(go()).toContain(`--- FAIL: Test${one.subject.name.replace('.', '')}Results`);
      await writeFile(join(repository.dir, 'shop.go'), CODE);
    }
  } finally {
    await repository.dispose();
  }
});
