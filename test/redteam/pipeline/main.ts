// Prints what each attack on the pipeline came to: `node test/redteam/pipeline/main.ts [PATTERN OF NAMES]`.

import { chooseIsolationUnderAttack } from '../../helpers/isolation.ts';
import { spelled } from './attack.ts';
import { meantFor, ON_ONE_GROUND, WITH_WORLDS } from './attacks.ts';
import { createGround, layLinks, perform, type Outcome } from './ground.ts';
import { springTraps, TRAPS } from './traps.ts';

const wanted = new RegExp(process.argv[2] ?? '');
const counts = new Map<string, number>();
let escapes = 0;
const { kind, confined } = (await chooseIsolationUnderAttack()).isolation;
process.stdout.write(`Commands are shut in by: ${kind}\n`);

const shared = meantFor(ON_ONE_GROUND, confined).filter(({ name }) => wanted.test(name));
if (shared.length > 0) {
  await using ground = await createGround({ prepare: layLinks });
  for (const attack of shared) tell(attack, await perform(ground, attack));
}
for (const attack of meantFor(WITH_WORLDS.flat(), confined).filter(({ name }) => wanted.test(name)))
  tell(attack, await attack.run());
if (TRAPS.some(({ name }) => wanted.test(name))) {
  const { byUs, changed } = await springTraps();
  for (const { name } of TRAPS)
    tell(
      { name: `git: ${name}`, wants: 'has git run a program', expected: 'confined' },
      { answer: { end: 'confined', by: '', detail: '' }, escaped: byUs.has(name) ? ['It was run.'] : [] },
    );
  if (changed.length > 0)
    tell(
      { name: 'git: all of them', wants: 'changes the repository', expected: 'confined' },
      { answer: { end: 'confined', by: '', detail: '' }, escaped: changed },
    );
}
const ends = [...counts].toSorted(([, one], [, other]) => other - one).map(([end, count]) => `${end} ${count}`);
process.stdout.write(
  `${[...counts.values()].reduce((sum, one) => sum + one, 0)} attacks, ${escapes} escapes: ${ends.join(', ')}\n`,
);

function tell(
  { name, wants, expected }: { readonly name: string; readonly wants: string; readonly expected: string },
  { answer, escaped }: Outcome,
): void {
  const end = spelled(answer);
  counts.set(end, (counts.get(end) ?? 0) + 1);
  if (escaped.length > 0) escapes += 1;
  process.stdout.write(
    `${escaped.length > 0 ? 'ESCAPED' : 'held   '} ${end.padEnd(24)} ${name}: ${wants}${escaped.length > 0 ? ` — ${escaped.join(' ').slice(0, 500)}` : ''}\n`,
  );
  if (!new RegExp(`^${expected === 'applied' && !confined ? 'asks' : expected}`).test(end))
    process.stdout.write(`        expected ${expected}: ${answer.detail.slice(0, 500)}\n`);
}
