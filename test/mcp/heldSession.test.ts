// The session behind the server for agents looks at the feedback while it is open.

import { expect, test } from 'vitest';
import type { Session } from '../../server/src/core/session.ts';
import { createHeldSession } from '../../server/src/mcp/lastingSession.ts';
import { createPart } from '../helpers/createPart.ts';

test('it looks at the feedback again and again, until it is closed', async () => {
  let looks = 0;
  const session = createPart<Session>({ learned: { lookAtFeedback: async () => (looks++, null) } });
  const held = createHeldSession((body) => body(session), { write: () => undefined }, 5);
  // Before the first call there is no session to look with.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks).toBe(0);
  await held.session();
  await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(1);
  await held.close();
  const before = looks;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks).toBe(before);
});
