// Prints what each attack by a reply came to: `node test/redteam/replies/main.ts [PATTERN OF NAMES]`.

import { fits } from './attack.ts';
import { REPLIES } from './attacks.ts';
import { createMailboxGround } from './mailboxGround.ts';

const wanted = new RegExp(process.argv[2] ?? '');
await using ground = await createMailboxGround();
const ends = new Map<string, number>();
for (const attack of REPLIES.flat().filter(({ name }) => wanted.test(name))) {
  const { end, said } = await ground.attempt(attack);
  ends.set(end, (ends.get(end) ?? 0) + 1);
  const isExpected = fits(attack, end) && attack.says.test(said);
  process.stdout.write(
    `${isExpected ? 'held   ' : 'ODD    '} ${end.padEnd(20)} ${attack.name} — ${said.slice(0, 300)}\n`,
  );
}
process.stdout.write(`${[...ends].map(([end, count]) => `${end} ${count}`).join(', ')}\n`);
