// The command line of a run in the background names the same places as the one that started it.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runArguments, makeEndAbsolute } from '../../../server/src/app/nights/runArguments.ts';

test.each([
  ['later:mail', `later:${resolve('mail')}`],
  ['mailbox:../mail,ollama:a,b', `mailbox:${resolve('../mail')},ollama:a,b`],
  ['gguf:models/a.gguf', `gguf:${resolve('models/a.gguf')}`],
  ['replay:/tmp/mail', `replay:${resolve('/tmp/mail')}`],
  ['openai-compatible:M@http://127.0.0.1:8080/v1', 'openai-compatible:M@http://127.0.0.1:8080/v1'],
])('the proposer %s', (proposer, passed) => {
  const args = runArguments({ repo: '.', paths: [], until: 1, proposer, set: [], wait: true });
  expect(args[args.indexOf('--proposer') + 1]).toBe(passed);
});

test('what a person has agreed to holds after a crash, too', () => {
  const planned = { repo: '.', paths: [], until: 1, set: [], wait: true };
  expect(runArguments({ ...planned, research: true })).toContain('--research');
  expect(runArguments(planned)).not.toContain('--research');
});

test('a service names an end that is relative to its start; it becomes absolute once', () => {
  const planned = { repo: '/r', paths: [], set: ['a=b'], wait: true };
  const endOf = ({ until, for: duration }: { until?: string; for?: string }) => (until ? 7 : duration ? 8 : 9);
  const absolute = (until: Parameters<typeof runArguments>[0]['until']) =>
    makeEndAbsolute(runArguments({ ...planned, until }), endOf);
  const common = ['night', 'run', '--repo', resolve('/r'), '--set', 'a=b', '--end'];
  expect(absolute(['--until', '07:00'])).toEqual([...common, '7']);
  expect(absolute(['--for', '8h'])).toEqual([...common, '8']);
  expect(absolute([])).toEqual([...common, '9']);
  expect(absolute(5)).toEqual(runArguments({ ...planned, until: 5 }));
});

test('places are those of the repository, wherever the command was started', () => {
  const args = runArguments({ repo: '/r', paths: ['src', '/r/test'], until: 1, set: [], wait: true });
  expect(args.slice(2, 4)).toEqual([resolve('/r/src'), resolve('/r/test')]);
});

test('the scope of the run holds after a crash, too', () => {
  const planned = { repo: '/r', paths: [], until: 1, set: [], wait: true };
  const args = runArguments({ ...planned, exclude: ['src/old', '/r/gen'], kinds: 'tests,fixes' });
  const scope = ['--exclude', resolve('/r/src/old'), '--exclude', resolve('/r/gen'), '--kinds', 'tests,fixes'];
  expect(args.join(' ')).toContain(scope.join(' '));
  expect(runArguments(planned).join(' ')).not.toMatch(/--exclude|--kinds/);
});
