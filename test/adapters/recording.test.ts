// The harness records what a function answers now, and only what holds: the same in two processes, without effects.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Opportunity } from '../../server/src/core/model.ts';
import { createJobTable } from '../../server/src/core/jobs.ts';
import { createSourceTree } from '../../server/src/adapters/files/sourceTree.ts';
import type { RecordReport } from '../../server/src/core/verify/differential/plan.ts';
import { createGrammarsFromNodeModules } from '../../server/src/adapters/grammars/grammars.ts';
import { createPythonLinter } from '../../server/src/adapters/ruff/ruff.ts';
import { runHarness } from '../helpers/harness.ts';

const sources = `let calls = 0;
export function join(parts: string[], mark: string): string {
  return parts.filter((part) => part !== '').join(mark);
}
export function count(step: number): number {
  calls += step || 1;
  return calls;
}
export function shuffle(list: number[]): number[] {
  list.sort(() => Math.random() - 0.5);
  return list;
}
export async function later(on: boolean, times: number): Promise<string> {
  return on ? 'on' : String(times % 3);
}
`;

async function record(symbol: string): Promise<RecordReport> {
  const root = mkdtempSync(join(tmpdir(), 'selfware-record-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'src', 'all.ts'), sources);
  writeFileSync(join(root, 'src', 'other.test.ts'), "import { test } from 'vitest';\n");
  const line = sources.split('\n').findIndex((text) => text.includes(`function ${symbol}`)) + 1;
  const column = (sources.split('\n')[line - 1] ?? '').indexOf(symbol) + 1;
  const nameRange = { startLine: line, startColumn: column, endLine: line, endColumn: column + symbol.length };
  const opportunity: Opportunity = {
    id: 'abc',
    rule: 'test-gap',
    path: 'src/all.ts',
    symbol,
    range: nameRange,
    nameRange,
    severity: 'hint',
    impact: 1,
    confidence: 1,
    message: '',
    evidence: {},
    recipe: null,
  };
  const planned = await createJobTable({
    grammars: createGrammarsFromNodeModules(),
    lintPython: createPythonLinter(),
    sourceTree: createSourceTree,
  }).planRecording({ rootDir: root, opportunity });
  if ('refused' in planned) throw new Error(planned.refused);
  expect(planned.place.path).toBe('src/all.test.ts');
  return runHarness(root, { ...planned.plan, record: true, seed: 7, runs: 60, maxResults: 6, budgetMs: 60_000 });
}

test('answers of a pure function, as its own code gives them', async () => {
  const { obstacle, recorded } = await record('join');
  expect(obstacle).toBeNull();
  expect(recorded).toHaveLength(6);
  for (const { call, answer, promised } of recorded) {
    const [parts, mark] = JSON.parse(`[${call.slice('join('.length, -1)}]`) as [string[], string];
    expect({ call, promised, answer: JSON.parse(answer) }).toEqual({
      call,
      promised: false,
      answer: parts.filter((part) => part !== '').join(mark),
    });
  }
});

test('a promise is told from its value', async () => {
  const { recorded } = await record('later');
  expect(recorded.length).toBeGreaterThan(2);
  expect(recorded.every(({ promised }) => promised)).toBe(true);
});

test.each(['count', 'shuffle'])('nothing of %s, which does not answer alike', async (symbol) => {
  expect((await record(symbol)).recorded).toEqual([]);
});
