// What a person meets when it counts, in a real VS Code, at two sizes of a laptop's screen with a narrow sidebar.
// Usage: node test/e2e/decision.e2e.mjs [PART …]   (SELFWARE_VSIX names another package, KEEP=1 keeps the folders)
// A part is a file in decision/: it exports `steps(world)`, which gives steps by name, and leaves no review open
// behind.

import { play } from './harness.mjs';
import { openWorld } from './decision/world.mjs';

const PARTS = ['review', 'hunks', 'truth', 'points', 'waiting', 'evidence', 'together', 'languages', 'bare', 'looking'];

const wanted = process.argv.slice(2);
const world = await openWorld();
const steps = {};
for (const part of wanted.length > 0 ? wanted : PARTS) {
  const { steps: of } = await import(`./decision/${part}.mjs`);
  for (const [name, step] of Object.entries(of(world))) steps[`${part}: ${name}`] = step;
}
await play({ 'the window opens': world.open, ...steps }, world);
