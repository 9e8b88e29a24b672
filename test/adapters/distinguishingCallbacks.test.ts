// Calls of several steps whose results are what callbacks receive, or what promises give, in real processes.

import { expect, test } from 'vitest';
import { searchSteps } from '../helpers/stepSearch.ts';

const EMITTER = `
export interface Emitter {
  on(name: string, listener: (...args: any[]) => void): () => void;
  emit(name: string, ...args: unknown[]): void;
}
export function createEmitter(): Emitter {
  const listeners: Record<string, ((...args: any[]) => void)[]> = {};
  return {
    on(name, listener) {
      (listeners[name] ??= []).push(listener);
      return () => { listeners[name] = listeners[name]!.filter((one) => one !== listener); };
    },
    emit(name, ...args) {
      for (const listener of listeners[name] ?? []) listener(...args);
    },
  };
}
`;

function emitterWith(tests: string) {
  return searchSteps(
    { 'src/emitter.ts': EMITTER, 'test/emitter.test.ts': tests },
    'src/emitter.ts',
    'test/emitter.test.ts',
  );
}

test('what a callback receives is a result', () => {
  const { calls } = emitterWith(`
import { createEmitter } from '../src/emitter.ts';
test('emits', () => {
  const emitter = createEmitter();
  const onSave = vi.fn();
  emitter.on('save', onSave);
  emitter.emit('save', 'draft', 1);
  expect(onSave).toHaveBeenCalledWith('draft', 1);
});
`);
  const ofSave = calls.find(({ call }) => call.includes('emitter.emit("save", "draft", 1)'));
  expect(ofSave).toMatchObject({
    call: 'const emitter = createEmitter(); emitter.on("save", onSave); emitter.emit("save", "draft", 1); onSave.calls',
    result: { value: '[["draft", 1]]', promised: false },
    recorders: ['onSave'],
    observed: 'onSave',
  });
  expect(ofSave!.steps).toHaveLength(3);
});

test('the function that a method returns is a step, so that its effect shows', () => {
  const { calls } = emitterWith(`
import { createEmitter } from '../src/emitter.ts';
test('stops', () => {
  const emitter = createEmitter();
  const seen: unknown[] = [];
  const off = emitter.on('save', (what: string) => { seen.push(what); });
  off();
  emitter.emit('save', 'draft');
});
`);
  expect(calls.map(({ call }) => call)).toContain(
    'const emitter = createEmitter(); const off = emitter.on("save", listener); off()',
  );
  const ofEmitting = calls.filter(({ call }) =>
    /off\(\);.* emitter\.emit\("save", "draft"\); listener\.calls$/.test(call),
  );
  // The listener gets a call more if `off` removes nothing.
  const moreCalls = { '[]': 'returns [["draft"]]', '[["draft"]]': 'returns [["draft"], ["draft"]]' };
  const shown = ofEmitting.flatMap(({ result, tells }) =>
    'value' in result ? tells.filter(({ then }) => then === moreCalls[result.value as '[]']) : [],
  );
  expect(shown.length).toBeGreaterThan(0);
});

test('a step whose promise the tests await is awaited', () => {
  const { calls } = searchSteps(
    {
      'src/counter.ts': `
export class Counter {
  #count = 0;
  async add(by: number): Promise<void> {
    await Promise.resolve();
    this.#count += by;
  }
  get count(): number { return this.#count; }
}
`,
      'test/counter.test.ts': `
import { Counter } from '../src/counter.ts';
test('adds', async () => {
  const counter = new Counter();
  await counter.add(2);
  expect(counter.count).toBe(2);
});
`,
    },
    'src/counter.ts',
    'test/counter.test.ts',
  );
  expect(calls.map(({ call, result }) => [call, result])).toContainEqual([
    'const counter = new Counter(); await counter.add(2); counter.count',
    { value: '2', promised: false },
  ]);
});

test('a call that reads the clock or waits is left out, and others of the same class stay', () => {
  const { calls } = searchSteps(
    {
      'src/counter.ts': `
export class Counter {
  #times: number[] = [];
  add(by: number): void { this.#times.push(by); }
  addLater(by: number): void { setTimeout(() => { this.add(by); }, 1); }
  addNow(): void { this.#times.push(Date.now()); }
  get count(): number { return this.#times.length; }
}
`,
      'test/counter.test.ts': `
import { Counter } from '../src/counter.ts';
test('adds', () => {
  const counter = new Counter();
  counter.add(2);
  counter.addLater(3);
  counter.addNow();
  expect(counter.count).toBe(2);
});
`,
    },
    'src/counter.ts',
    'test/counter.test.ts',
  );
  expect(calls.map(({ call }) => call)).toContain('const counter = new Counter(); counter.add(2); counter.count');
  for (const { call } of calls) expect(call).not.toMatch(/addLater|addNow/);
});
