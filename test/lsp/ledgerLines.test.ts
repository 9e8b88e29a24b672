// The ledger in words: what each event says to who looks at what has happened of late.

import { pointsOf } from '../unit/verify/verifying.ts';
import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../server/src/core/ledger/events.ts';
import { SIDEBAR_EVENT_TYPES, hasSentence, ledgerLine } from '../../server/src/core/session/ledger/ledgerLines.ts';
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

test('an event of an unknown type is its type, even if objects have a member of that name', () => {
  for (const type of ['other', 'constructor', 'toString', '__proto__']) {
    expect(ledgerLine(event(type, {}), new Map()).text).toBe(type);
    expect(hasSentence(type)).toBe(false);
  }
});

test('recorded feedback, which only a lesson shows, is a sentence as well', () => {
  const data = { session: 's', kind: 'user_correction', dimension: 'output-hygiene', value: null };
  const line = (note: string | null) => ledgerLine(event('feedbackRecorded', { ...data, note }), new Map()).text;
  expect(line(null)).toBe('Feedback, user correction: output-hygiene');
  expect(line('No\u202etesting')).toBe('Feedback, user correction: output-hygiene (No\\u202etesting)');
  expect(SIDEBAR_EVENT_TYPES).not.toContain('feedbackRecorded');
});

test.each([
  [
    'attempt',
    { recipe: 'r', opportunity: 'o', outcome: 'refused', reason: 'No way.' },
    'Tried the recipe r on o: no change (No way.)',
  ],
  ['asked', { proposer: 'ollama:x', task: { kind: 'fix', path: 'a.ts' } }, 'Asked ollama:x for fix a.ts'],
  [
    'asked',
    { proposer: 'ollama:x', task: { kind: 'fix', path: null, opportunity: null, id: 'fix ' } },
    'Asked ollama:x for fix',
  ],
  [
    'asked',
    { proposer: 'ollama:x', task: { kind: 'fix', path: null, opportunity: null, id: 'fix adds' } },
    'Asked ollama:x for fix adds',
  ],
  [
    'answered',
    { outcome: 'refused', reason: null, task: { kind: 'opportunity', path: null, opportunity: 'o' } },
    'Answer about opportunity o: refused',
  ],
  ['consented', { destination: 'api.example.org' }, 'A person agreed that code goes to api.example.org'],
  [
    'consented',
    { destination: 'api.example.org', sends: ['tree', 'references'] },
    'A person agreed that code goes to api.example.org (all files of this repository and code of other repositories)',
  ],
  [
    'consentWithdrawn',
    { destination: 'api.example.org' },
    'A person withdrew their consent: nothing more goes to api.example.org',
  ],
  ['taskDropped', { task: 't', by: 'person' }, 'A person has dropped a task that waited for them'],
  ['verifying', { proposal: 'p1' }, 'Verification began: a proposal that is no longer kept'],
  ['forgotten', { checkpoints: ['c'] }, 'Removed 1 old checkpoint'],
  ['forgotten', { checkpoints: [], proposals: ['p', 'q'] }, 'Removed the texts of 2 old proposals'],
  [
    'packed',
    { taskType: 'Debugging', layers: { working: { tokens: 1000 }, semantic: { tokens: 500 } } },
    'Packed a context for Debugging: 1,500 tokens',
  ],
  ['nightMissed', { miss: { title: 'A title', reason: 'It fails.' } }, 'Not committed: A title (It fails.)'],
  [
    'nightMissed',
    { miss: { title: 'A title', reason: 'It fails.', next: 'It is not tried again.' } },
    'Not committed: A title (It fails.) It is not tried again.',
  ],
  [
    'nightTurn',
    {
      stages: [
        { stage: 'analyse', ms: 1240, outcomes: { done: 2 } },
        { stage: 'verify', ms: 60_000, outcomes: { verified: 1, refused: 2 } },
      ],
    },
    'A turn took analyse 1.2 s (2 done), verify 60.0 s (1 verified, 2 refused)',
  ],
  ['nightWish', { text: 'a wish', outcome: 'deferred', reason: 'Busy.' }, 'Wish deferred: a wish (Busy.)'],
  ['nightWish', { text: 'a wish', outcome: 'notDone', reason: 'No answer.' }, 'Wish not done: a wish (No answer.)'],
  [
    'nightWaiting',
    { night: 'n', until: 0, reason: 'A limit.' },
    'The run on n waits until 1970-01-01T00:00:00.000Z (A limit.)',
  ],
  [
    'nightWaiting',
    { night: 'n', until: null, reason: 'Waiting for power.' },
    'The run on n waits (Waiting for power.)',
  ],
  [
    'nightMoved',
    { night: 'n', commits: [{}, {}], left: [{}] },
    'Moved n to another commit: 2 changes kept, 1 left out',
  ],
  ['nightTold', { event: 'ended', by: 'url', failure: 'Refused.' }, 'Could not notify you by url: ended (Refused.)'],
  ['wishMoved', { wish: 'w-1', before: 'w-2' }, 'Wish moved before w-2: w-1'],
  ['wishMoved', { wish: 'w-1', before: null }, 'Wish moved to the end: w-1'],
  ['wishDropped', { wish: 'w-1' }, 'Wish dropped: w-1'],
  ['wishDropped', { wish: 'w-1', proposal: 'p' }, 'A change for the wish w-1 waits for you'],
  ['wishTested', { wish: 'w-1', tests: [] }, 'The wish w-1 needs no test'],
  ['trainingChecked', { due: null }, 'No training is due'],
])('%s, which the sidebar leaves out, is a sentence on the command line', (type, data, sentence) => {
  expect(ledgerLine(event(type, data), new Map()).text).toBe(sentence);
  expect(SIDEBAR_EVENT_TYPES).not.toContain(type);
});

test('each type of event has a sentence; the places of passedOver are lines of their own', () => {
  expect(EVENT_TYPES.filter((type) => !hasSentence(type))).toEqual(['passedOver']);
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
    subject: 'Tidy up',
    undone: true,
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
    commit: 'abcdef0123456789',
    tool: 'ddgr',
    query: 'how to round',
    recipe: { pattern: '$a.indexOf($b) !== -1', replacement: '$a.includes($b)' },
  };
  for (const type of SIDEBAR_EVENT_TYPES) {
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

test('where nothing can be scored, there are no points yet; 0 points are points', () => {
  const line = (known: Parameters<typeof pointsOf>[0]) =>
    ledgerLine(event('points', { points: pointsOf(known) }), new Map()).text;
  expect(line({})).toBe('No points yet: nothing here can be scored');
  expect(line({ codeQuality: 0 })).toBe('Scored 0 of 20');
});
