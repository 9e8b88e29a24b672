// What a judgement says if the search for code that hides a fault fails.

import { expect, test } from 'vitest';
import { findHiddenFaults } from '../../../server/src/core/verify/integrity/hiddenFaults.ts';
import { judgeChange } from '../../../server/src/core/verify/judge/judgeChange.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { contextOf, edit } from './verifying.ts';

test('code that is nested too deeply to be searched is no reason to give no judgement', async () => {
  const before = 'export const a = 1;\n';
  const nested = `export const a = ${'('.repeat(20_000)}1${')'.repeat(20_000)};\n`;
  const never = new AbortController().signal;
  const { verdicts } = await judgeChange(
    {
      ...contextOf(
        { sandbox: createMemorySandbox(createMemoryFiles({ 'a.js': before }), {}) },
        { settings: {}, syntaxProblems: async () => [] },
      ),
      testCases: async () => [],
      findHiddenFaults: async ({ edits, renamed }) => findHiddenFaults(edits, renamed),
      protectedPaths: async () => [],
      budget: { signal: never, seconds: null },
      keptPackages: async () => ({ base: true, head: true }),
      thorough: false,
      names: { base: 'main', head: null },
    },
    { edits: [edit('a.js', before, nested)], bytes: [], binary: [], left: [], renamed: [] },
    never,
  );
  expect(verdicts.find(({ gate }) => gate === 'integrity')).toMatchObject({
    outcome: 'unknown',
    evidence: { hidden: 'Code that may hide a fault was not looked for: Maximum call stack size exceeded' },
  });
});
