// Prints what each attack came to with every mechanism of this machine, and without any: `node
// test/redteam/sandbox/main.ts [NAME [KIND]]`.

import { findFirstWorking, MECHANISMS } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { isMeantFor } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { battleground } from './ground.ts';

const [wanted = '', only = ''] = process.argv.slice(2);
const choices = await Promise.all(MECHANISMS.map((mechanism) => findFirstWorking([mechanism])));
for (const choice of [...choices.filter(({ isolation }) => isolation.confined), await findFirstWorking([])]) {
  const { kind } = choice.isolation;
  if (!kind.startsWith(only)) continue;
  let escapes = 0;
  const attacks = ATTACKS.filter((attack) => attack.name.includes(wanted) && isMeantFor(attack, choice));
  for (const attack of attacks) {
    // New each time: an attack that succeeds leaves little for the next.
    await using ground = await battleground(choice);
    const { escaped, result } = await ground.attack(attack);
    if (escaped) escapes += 1;
    const end =
      result.exceeded === undefined
        ? `${result.outcome}${result.exitCode === null ? '' : ` ${result.exitCode}`}`
        : `took ${result.exceeded}`;
    process.stdout.write(
      `${kind.padEnd(12)} ${escaped ? 'ESCAPED' : 'held   '} ${attack.name} (${end}, ${result.millis} ms)\n`,
    );
  }
  process.stdout.write(`${kind}: ${attacks.length} attacks, ${escapes} escapes\n`);
}
