// Runs the analysis on mutated real sources of every language, to find inputs that make it crash, hang or use too much
// memory.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runCampaign, type CampaignReport, type Fault } from '../fuzz/campaign.ts';
import { fuzzSources } from '../fuzz/sources.ts';
import type { Bench, Cell } from './support/bench.ts';

/** Number of inputs. */
const sizes = { tiny: 100, default: 2_000, large: 20_000 } as const;

/** The bench: numbers of inputs and faults by language, and the peak of memory. */
export const fuzz: Bench = {
  name: 'fuzz',
  describe:
    'Mutated real sources of every language go through the analysis: faults are answers that are no answer (crash, hang, internal error).',
  async run(options, signal) {
    const inputs = options.inputs ?? sizes[options.size];
    const faultNotes: string[] = [];
    const onFault = (fault: Fault): void => {
      const text = keepMutant(fault);
      faultNotes.push(text);
      options.note(text);
    };
    const report = await runCampaign(
      {
        inputs,
        seed: options.seed,
        sources: fuzzSources(options.grow, options.seed),
        note: (text) => options.note(text),
        onFault,
      },
      signal,
    );
    return [
      {
        title: 'Mutants by language',
        columns: [
          { name: 'language' },
          { name: 'inputs' },
          { name: 'refused' },
          { name: 'functions' },
          { name: 'opportunities' },
          { name: 'slowest', unit: 'ms', digits: 0 },
        ],
        rows: [...report.byLanguage].map(([language, tally]): Cell[] => [
          language,
          tally.inputs,
          tally.refused,
          tally.functions,
          tally.opportunities,
          tally.slowest,
        ]),
        notes: [
          `${inputs} inputs, seed ${options.seed}. Refused: no text, or nested deeper than a parser goes; such a file is skipped and listed.`,
        ],
      },
      {
        title: 'Faults and memory',
        columns: [
          { name: 'crashed' },
          { name: 'hung' },
          { name: 'threw' },
          { name: 'internal errors' },
          { name: 'largest heap', unit: 'MB', digits: 0 },
          { name: 'largest resident set', unit: 'MB', digits: 0 },
        ],
        rows: [
          [
            countFaults(report, 'crashed'),
            countFaults(report, 'hung'),
            countFaults(report, 'threw'),
            countFaults(report, 'internal error'),
            report.peakHeap / 2 ** 20,
            report.peakResident / 2 ** 20,
          ],
        ],
        notes: faultNotes,
      },
    ];
  },
};

/** Writes the input of a fault to a file, because the same seed gives other inputs after sources have changed. */
function keepMutant({ kind, input, path, mutant, detail }: Fault): string {
  const file = join(mkdtempSync(join(tmpdir(), 'selfware-fuzz-')), `${input}-${basename(path)}`);
  writeFileSync(file, 'text' in mutant ? mutant.text : mutant.bytes);
  return `${kind}: ${path}, kept as ${file}: ${detail.split('\n').slice(0, 4).join(' ')}`;
}

function countFaults({ faults }: CampaignReport, kind: string): number {
  return faults.filter((fault) => fault.kind === kind).length;
}
