// What a run found, as a page and as data.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes `report.md` and `report.json`, and returns the summary. */
export function report(out, { options, drawn, refused, population, equivalent, state }) {
  const outcomeOf = ({ name }) => (equivalent[name] ? 'equivalent' : (state.results[name]?.outcome ?? 'not tried'));
  const of = (outcome) => drawn.filter((mutant) => outcomeOf(mutant) === outcome);
  const killed = of('killed').length;
  const counted = drawn.length - of('equivalent').length;
  const left = Object.entries(state.tests).filter(([, { passed, ms }]) => !passed || ms > 1000 * options.slowest);
  const summary = [
    `${killed} of ${counted} mutants killed: ${((100 * killed) / counted).toFixed(1)} %. Seed ${options.seed}.`,
    `${of('survived').length} survived, ${of('not reached').length} are not reached by a test, ${of('not tried').length} were not tried.`,
    `${of('equivalent').length} more change nothing that can be observed (equivalent.json).`,
    `Drawn from ${population}; ${refused} more that were drawn do not compile.`,
    `Tests left out because they fail or are slow without a mutant: ${left.map(([file]) => file).join(', ') || 'none'}.`,
  ].join('\n');
  const alive = [...of('survived'), ...of('not reached')].sort(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
  );
  const rows = alive.map(
    ({ name, file, line, kind, before, after }) =>
      `## ${name} ${file}:${line}\n\n${kind}, ${outcomeOf({ name })}\n\n\`\`\`diff\n${lines('-', before)}\n${lines('+', after)}\n\`\`\`\n`,
  );
  writeFileSync(join(out, 'report.md'), `# Mutants\n\n${summary}\n\n${rows.join('\n')}`);
  const data = drawn.map(({ name, file, line, kind, before, after }) => ({
    ...{ name, file, line, kind, before, after, outcome: outcomeOf({ name }), by: state.results[name]?.by },
  }));
  writeFileSync(join(out, 'report.json'), JSON.stringify(data, null, 1));
  return summary;
}

const lines = (mark, text) =>
  text
    .split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n');
