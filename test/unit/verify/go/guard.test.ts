// The gate guard on Go: what `go test` notices of mutants, with real tests in a real sandbox.

import { expect, test } from 'vitest';
import { locateHarness } from '../../../../server/src/app/programPaths.ts';
import { isTestEdit } from '../../../../server/src/core/paths/testEdits.ts';
import { findGoMutants } from '../../../../server/src/core/verify/guard/go/findMutants.ts';
import { planMutants } from '../../../../server/src/core/verify/guard/planMutants.ts';
import type { ProofContext } from '../../../../server/src/core/verify/proof.ts';
import { parser } from '../../index/support.ts';
import { edit, mutantsOnly, toldBy, verifying, watched } from '../verifying.ts';
import { thoroughTest } from '../../../helpers/thorough.ts';

const before = `package shop

// Rate is the discount.
const Rate = 10

func Price[N int | int64](count, each N) N {
	if count <= 0 {
		return 0
	}
	total := count * each
	if count >= 10 {
		total = total - total/Rate
	}
	return total
}

func First(names []string) (first string, ok bool) {
search:
	for _, name := range names {
		switch {
		case name == "":
			continue search
		}
		return name, true
	}
	return "", false
}
`;
const after = before.replace(
  '\ttotal := count * each\n\tif count >= 10 {\n\t\ttotal = total - total/Rate\n\t}\n\treturn total\n',
  '\tif count < 10 {\n\t\treturn count * each\n\t}\n\ttotal := count * each\n\treturn total - total/Rate\n',
);
/** In a package of its own, as tests of what is exported are written. */
const strong = `package shop_test

import (
	"testing"

	"example.com/shop/shop"
)

func TestPrice(t *testing.T) {
	for _, c := range [][3]int{{0, 5, 0}, {-1, 5, 0}, {1, 5, 5}, {9, 5, 45}, {10, 5, 45}, {20, 5, 90}, {30, 7, 189}} {
		if got := shop.Price(c[0], c[1]); got != c[2] {
			t.Errorf("Price(%d, %d) = %d, not %d", c[0], c[1], got, c[2])
		}
	}
}
`;
const weak = `package shop

import "testing"

func TestPrice(t *testing.T) {
	t.Log(Price(3, 5), Price(30, 5))
}
`;
const module = { 'go.mod': 'module example.com/shop\n\ngo 1.18\n' };

const proof: ProofContext = {
  ...mutantsOnly,
  harness: locateHarness(false).command,
  planMutants: async (edits, most) =>
    planMutants(edits, most, isTestEdit, await findGoMutants(parser, edits, isTestEdit)),
};

async function guarded(
  files: Readonly<Record<string, string>>,
  edits = [edit('shop/price.go', before, after)],
  guardMutants = 20,
) {
  await using given = await verifying({ ...module, 'shop/price.go': before, ...files });
  const { sandbox, lines } = watched(given);
  const verification = await given.verify(edits, {
    sandbox,
    proof: { ...proof, settings: { ...proof.settings, guardMutants } },
    reachingTests: async () => ['shop/price_test.go'],
  });
  return {
    guard: toldBy('guard', verification),
    evidence: verification.verdicts.find(({ gate }) => gate === 'guard')?.evidence,
    runs: lines.filter((line) => /go test/.test(line)).length,
  };
}

thoroughTest('strong tests in a package of their own notice the mutants, which are compiled together', async () => {
  const { guard, evidence, runs } = await guarded({ 'shop/price_test.go': strong });
  expect(guard).toMatch(/^guard passed: Strong: the tests notice 1\d of 1\d mutants of the touched lines/);
  expect(evidence).toMatchObject({ unreached: 0 });
  // Without the change and with it; no run of `go test` for a mutant.
  expect(runs).toBe(2);
});

test('weak tests are told with what they miss', async () => {
  const { guard, evidence } = await guarded({ 'shop/price_test.go': weak });
  expect(guard).toMatch(
    /^guard unknown: Weak: the tests notice \d of 1\d mutants .+ Not noticed: shop\/price\.go:\d+ /,
  );
  expect(evidence?.['survived']).toBeGreaterThan(3);
});

thoroughTest('lines that no test reaches are named, also in a file that is not built here', async () => {
  const none = 'package shop\n\nimport "testing"\n\nfunc TestFirst(t *testing.T) { First(nil) }\n';
  expect((await guarded({ 'shop/price_test.go': none })).guard).toMatch(
    /^guard unknown: Weak: no test reaches shop\/price\.go:10/,
  );
  const other = 'package shop\n\nfunc Path(a, b int) int { return a + b }\n';
  const edits = [edit('shop/path_plan9.go', other, other.replace('a + b', 'b + a'))];
  expect((await guarded({ 'shop/price_test.go': strong, 'shop/path_plan9.go': other }, edits)).guard).toBe(
    'guard unknown: Weak: no test reaches shop/path_plan9.go:3.',
  );
});

thoroughTest('a mutant outside of functions gets a run of its own', async () => {
  const table =
    'package shop\n\nvar sizes = map[uint8]int{1: 2, 254 + 1: 4}\n\nfunc Size(n uint8) int {\n\treturn sizes[n]\n}\n';
  const edits = [edit('shop/size.go', table, table.replace('1: 2', '1: 1 + 1'))];
  const tests =
    'package shop\n\nimport "testing"\n\nfunc TestSize(t *testing.T) {\n\tif Size(1) != 2 || Size(255) != 4 {\n\t\tt.Fatal(Size(1))\n\t}\n}\n';
  const { evidence, runs } = await guarded({ 'shop/size.go': table, 'shop/size_test.go': tests }, edits, 6);
  expect(evidence).toMatchObject({ survived: 0 });
  expect(Number(evidence?.['noticed'])).toBeGreaterThan(2);
  expect(runs).toBeGreaterThan(3);
});
