// What the page of a judgement says, also to the workflow in docs/gate.md, which decides by it whether a push fails.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Judgement } from '../../../server/src/core/model/judgement.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import { createColors } from '../../../server/src/adapters/system/terminal.ts';
import { formatJudgement, createJudgementSarif } from '../../../server/src/cli/writers/judgement.ts';
import { parsePolicy } from '../../../server/src/settings/policyFile.ts';
import { explainNotInstalled } from '../../../server/src/core/verify/judge/installedPackages.ts';
import { renderJudgement, createUnjudgedPage } from '../../../server/src/core/verify/judge/judgementMarkdown.ts';

const DEMAND = { what: 'no check fails', met: true, found: 'None does.' };
const judgementOf = (outcome: Verdict['outcome'], evidence: Verdict['evidence'] = {}, more: Verdict[] = []) =>
  ({
    ...{ base: '0123456789abcdef', head: null, authors: [], claims: [], notes: [], seconds: 1, strength: 'tested' },
    files: { changed: 1, added: 0, deleted: 0, renamed: 0, binary: 0, paths: ['a.js'], remaining: ['a.js'] },
    verdicts: [{ gate: 'tests', outcome, reason: '1 test.', evidence, millis: 1 }, ...more],
    tests: { changes: [], added: 0 },
    points: { before: null, after: null },
    policy: { source: null, met: outcome !== 'failed', rules: [{ name: 'every change', demands: [DEMAND] }] },
  }) satisfies Judgement;
const page = (...facts: Parameters<typeof judgementOf>) => renderJudgement(judgementOf(...facts));

const docs = readFileSync(new URL('../../../docs/gate.md', import.meta.url), 'utf8');

test('the pattern in the workflow recognises a page with a failed check, and no other', () => {
  const pattern = new RegExp(/grep -Eq '([^']+)'/.exec(docs)![1]!, 'm');
  expect(pattern.test(page('failed'))).toBe(true);
  expect(pattern.test(page('passed'))).toBe(false);
  expect(pattern.test(page('unknown'))).toBe(false);
  expect(pattern.test(createUnjudgedPage('No commit.'))).toBe(false);
});

test('each policy in the docs can be read', () => {
  const blocks = [...docs.matchAll(/^ *```json\n([^]*?)^ *```/gm)].map(([, text]) => text!);
  const policies = blocks.filter((text) => text.includes('"require"'));
  expect(policies.length).toBeGreaterThan(2);
  for (const policy of policies) expect(parsePolicy(policy, 'docs/gate.md').rules?.length).toBeGreaterThan(0);
});

test('the headline does not praise code that a person has to look at', () => {
  expect(page('passed')).toContain('nothing speaks against this change');
  expect(page('passed', { hidden: 'a.js:1 asks for 777.' })).toContain('a person has to look: see Tests');
});

test('what was not shown is said in the same words everywhere', () => {
  const differs = { outcome: 'unknown', reason: 'It differs.', evidence: { call: 'f(1)' }, millis: 1 } as const;
  const judgement = judgementOf('passed', {}, [{ gate: 'differential', ...differs }]);
  const sentence = 'Not shown: that the behaviour is the same (it differs for f(1)).';
  const text = renderJudgement(judgement);
  expect(text).toContain('## Selfware: no check failed');
  expect(text.replaceAll('\\', '')).toContain(sentence);
  expect(formatJudgement(judgement, createColors(false))).toContain(`Passed so far: no check failed.\n${sentence}`);
  const [run] = createJudgementSarif(judgement, '1.0.0').runs;
  expect(run!.results.map(({ ruleId, level, message }) => [ruleId, level, message.text])).toEqual([
    ['not-shown', 'note', sentence],
  ]);
});

test('packages that no set-up installs are said once, with the way out', () => {
  const obstacle = explainNotInstalled(
    'requirements-dev.txt',
    { base: false, head: false },
    { base: 'main', head: null },
  )!;
  const evidence = { packages: 'requirements-dev.txt', obstacle };
  const text = page('unknown', evidence, [
    { gate: 'lint', outcome: 'unknown', reason: 'Not run.', evidence, millis: 1 },
  ]);
  expect(text.split('cannot install packages of this kind')).toHaveLength(2);
  expect(text).toContain('selfware verify --base COMMIT');
});

test('the headline does not call a change passed whose tests gave no answer', () => {
  expect(page('unknown')).toContain('could not be judged: see Tests');
  expect(page('unknown')).toContain('`selfware setup` installs it');
  expect(page('unknown', { noSuchCheck: 1 })).toContain('Name the command of the tests in');
});

test('the page of a change that could not be judged replaces the comment of an older one', () => {
  expect(createUnjudgedPage('There is no `x`.')).toMatch(/^<!-- selfware-verify -->\n## Selfware: .*\n\nThere is no/);
});

/** Stands for the command line of GitHub: pull request 7 with the given files, and a comment if COMMENT is its id. */
const GH = `#!/bin/sh
case "$*" in
  *--method\\ POST*) echo posted ;;
  *--method\\ PATCH*) echo "patched $4" ;;
  */issues/7/comments\\ *) [ -n "$COMMENT" ] && echo "$COMMENT" ;;
  */pulls\\ *) echo 7 ;;
  */pulls/7/files\\ *) [ -n "$FILES" ] && echo "$FILES" ;;
esac
`;

test('the workflow that comments posts no page that the pull request may have written itself', () => {
  const blocks = [...docs.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, text]) => parse(text!));
  const { run } = blocks.find(({ name }) => name === 'Selfware comment').jobs.comment.steps.at(-1);
  const folder = mkdtempSync(join(tmpdir(), 'selfware-gate-'));
  try {
    writeFileSync(join(folder, 'gh'), GH, { mode: 0o755 });
    const output = (files: string, comment = '') =>
      spawnSync('bash', ['-e', '-c', run], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH: `${folder}:${process.env['PATH']}`,
          REPO: 'a/b',
          HEAD: 'c:main',
          COMMIT: '1',
          FILES: files,
          COMMENT: comment,
        },
      }).stdout;
    expect(output('src/a.js\ntest/a.test.js')).toBe('posted\n');
    // A comment that is there is updated in place; only the first of several.
    expect(output('src/a.js', '99')).toBe('patched repos/a/b/issues/comments/99\n');
    expect(output('src/a.js', '99\n100')).toBe('patched repos/a/b/issues/comments/99\n');
    expect(output('src/a.js\n.github/workflows/selfware.yml')).toMatch(/^No comment: /);
    expect(output('a\n'.repeat(3000))).toMatch(/^No comment: /);
    // The list could not be read.
    expect(output('')).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
