// Measures the time from a keystroke until an editor has diagnostics, and until it has other answers in the meantime.

import { createPeers, typeText } from './keystroke/peers.ts';
import { typeIntoServer } from './keystroke/server.ts';
import { createLargeText, createKeystrokes } from './keystroke/typing.ts';
import type { Bench, Cell } from './support/bench.ts';
import { timeEach } from './support/measure.ts';
import { mean, computePercentile } from './support/statistics.ts';

/** Numbers of lines and keystrokes. */
const sizes = {
  tiny: { lines: 200, keystrokes: 20 },
  default: { lines: 2000, keystrokes: 200 },
  large: { lines: 8000, keystrokes: 200 },
} as const;
/** Number of keystrokes for peers; they are few, because peers take long and hardly vary. */
const PEER_KEYSTROKES = 40;

/** The bench: percentiles of the waiting times of Selfware and of peers. */
export const keystroke: Bench = {
  name: 'keystroke',
  describe:
    'The built language server over stdio: a person types into a TypeScript file, and the editor asks for diagnostics and a hover after every letter.',
  async run(options, signal) {
    const { lines, keystrokes: count } = sizes[options.size];
    const text = createLargeText(lines, options.seed);
    const keystrokes = createKeystrokes(text, count, options.seed);
    options.note(`${text.split('\n').length} lines, ${keystrokes.length} keystrokes`);
    const run = await typeIntoServer(text, keystrokes, signal);
    const rows: Cell[][] = [
      row('Selfware: diagnostics answered', run.diagnosticsMs, run.cpuMs),
      row('Selfware: hover answered meanwhile', run.hoverMs, null),
    ];
    for (const peer of createPeers()) {
      options.note(peer.name);
      const steps = [...typeText(text, keystrokes.slice(0, PEER_KEYSTROKES))];
      peer.analyse(text, null);
      const { wallMs, cpuMs } = await timeEach(
        steps,
        1,
        ({ text: current, change }) => peer.analyse(current, change),
        signal,
      );
      rows.push(row(peer.name, wallMs, mean(cpuMs)));
    }
    return [
      {
        title: `From a keystroke to diagnostics in ${text.split('\n').length.toLocaleString('en-US')} lines of TypeScript`,
        columns: [
          { name: 'what' },
          { name: 'p50', unit: 'ms', digits: 1 },
          { name: 'p95', unit: 'ms', digits: 1 },
          { name: 'longest', unit: 'ms', digits: 1 },
          { name: 'processor a keystroke', unit: 'ms', digits: 1 },
        ],
        rows,
        notes: [
          `${keystrokes.length} keystrokes, 60 ms apart, with pauses of 350 ms: the full analysis starts in a pause and is at work when typing goes on. The very first keystroke is left out: ${Math.round(run.firstMs)} ms. ${run.found} diagnostics at the end; the server held ${run.peakMb === null ? 'an unknown amount of' : `${Math.round(run.peakMb)} MB of`} memory at most.`,
          `Selfware: from didChange to the answer, in another process; its processor time is that of the whole server, full analyses in the pauses included. The others: in this process, after a first round, ${PEER_KEYSTROKES} keystrokes, without a way to an editor.`,
        ],
      },
    ];
  },
};

function row(name: string, millis: readonly number[], cpu: number | null): Cell[] {
  return [name, computePercentile(millis, 0.5), computePercentile(millis, 0.95), Math.max(...millis), cpu];
}
