// The ledger in words: what each event says to who looks at what has happened of late.

import { expect, test } from 'vitest';
import { eventTypes, ledgerLine } from '../../server/src/core/session/ledger/ledgerLines.ts';
import type { StoredEvent } from '../../server/src/core/ports/ledger.ts';

const event = (type: string, data: unknown): StoredEvent => ({
  sequence: 1,
  id: '',
  at: 1000,
  type,
  data,
  previous: '',
  hash: '',
});

test('recorded feedback, which only a lesson shows, is a sentence as well', () => {
  const data = { session: 's', kind: 'user_correction', dimension: 'output-hygiene', value: null };
  const line = (note: string | null) => ledgerLine(event('feedbackRecorded', { ...data, note }), new Map()).text;
  expect(line(null)).toBe('Feedback, user correction: output-hygiene');
  expect(line('No\u202etesting')).toBe('Feedback, user correction: output-hygiene (No\\u202etesting)');
  expect(eventTypes).not.toContain('feedbackRecorded');
});

test('each event that is shown has a sentence, never too long', () => {
  const titles = new Map([['p1', { title: 'Remove an import' }]]);
  const data = {
    proposal: 'p1',
    files: 3,
    seconds: 1.25,
    verdicts: [],
    points: { total: 60, max: 1000 },
    checkpoint: { title: 'Remove an import' },
    branch: 'main',
    reason: 'because',
    message: 'm'.repeat(500),
    text: 't',
    by: 'person',
    rule: 'r',
    path: 'a.ts',
    opportunity: 'o',
    night: 'selfware/night-2026-11-25',
    change: { title: 'Remove an import' },
    verdict: 'accepted',
    file: 'CODE',
    state: 'off',
    item: { kind: 'command', name: 'check-types' },
    proposer: 'ollama:x',
    title: 'Remove an import',
    kind: 'off by one',
    search: 'tests',
    found: ['clamp in src/a.ts'],
    id: '4e684e78',
    base: 'gguf:base.gguf',
    examples: 80,
    outcome: 'rejected',
    model: 'run-1',
    to: null,
    hash: 'abc',
    tool: 'ddgr',
    query: 'how to round',
    recipe: { pattern: '$a.indexOf($b) !== -1', replacement: '$a.includes($b)' },
  };
  for (const type of eventTypes) {
    const { text } = ledgerLine(
      event(type, type === 'proposed' ? { proposal: { title: 'Remove an import' } } : data),
      titles,
    );
    expect(text, type).toMatch(/^[A-Zm]/);
    expect(text, type).not.toMatch(/undefined|\[object|NaN/);
    expect(text.length, type).toBeLessThanOrEqual(200);
  }
  expect(ledgerLine(event('kept', { proposal: 'gone' }), titles).text).toContain('no longer kept');
});

test.each([
  {
    what: 'a failed check refuses',
    verdicts: [verdictOf('score', 'passed'), verdictOf('types', 'failed')],
    line: 'Refused: spare (Types: failed)',
  },
  {
    what: 'points that are not shown to rise refuse',
    verdicts: [verdictOf('score', 'unknown')],
    line: 'Refused: spare (Types: failed)',
  },
  {
    what: 'a change whose place is taken is put away',
    verdicts: [verdictOf('score', 'passed')],
    line: 'Put away: spare (Types: failed)',
  },
  {
    what: 'a second try that was cut off leaves the first waiting',
    replaces: 'p0',
    verdicts: [],
    line: 'Interrupted: spare. It waits as before.',
  },
])('the ledger in words: $what', ({ verdicts, replaces, line }) => {
  const known = new Map([['p1', { title: 'spare', ...(replaces ? { replaces } : {}) }]]);
  expect(ledgerLine(event('refused', { proposal: 'p1', verdicts, reason: 'types: failed' }), known).text).toBe(line);
});

function verdictOf(gate: string, outcome: string) {
  return { gate, outcome, reason: '', evidence: {}, durationMs: 1 };
}
