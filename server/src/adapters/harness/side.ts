// One side of the comparison: a process that holds the old or the new code and makes the requested calls.

import { watchCoverage, type CoverageWatch } from './coverage.ts';
import { createLoader } from './loader.ts';
import type { FromSide, SideStart, ToSide } from './messages.ts';
import { perform, type Doors } from './perform.ts';
import { enterWorld, type World } from './world.ts';

interface Loaded {
  readonly start: SideStart;
  readonly world: World;
  readonly coverage: CoverageWatch;
  readonly doors: ReadonlyMap<string, Doors>;
}

/** Serves until the parent process ends. */
export function serveSide(): void {
  const tell = process.send?.bind(process);
  if (!tell) throw new Error('A side is started by the harness.');
  const send = (message: FromSide): void => void tell(message);
  // The compared code must not see the connection to the parent.
  Object.defineProperty(process, 'send', { value: undefined });
  let loaded: Loaded | null = null;
  const leave = process.exit.bind(process);
  process.on('disconnect', () => leave(0));
  process.on('message', (message: ToSide) => {
    void answer(message).then(send, (error: unknown) =>
      send({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }),
    );
  });

  async function answer(message: ToSide): Promise<FromSide> {
    if ('start' in message) {
      loaded = await load(message.start);
      return { ready: true };
    }
    if (!loaded) return { failed: 'Nothing is loaded.' };
    if ('finish' in message) return { finished: loaded.coverage.take(loaded.start) };
    const target = loaded.start.targets[message.target];
    const doors = target && loaded.doors.get(target.path);
    if (!target || !doors) return { failed: 'There is no such target.' };
    return { outcome: await perform(target, message.call, doors, loaded.world) };
  }
}

/** Loads the files of the targets. Throws if one does not load, or has an effect while it does. */
async function load(start: SideStart): Promise<Loaded> {
  const coverage = watchCoverage(start.rootDir);
  const loader = createLoader(start);
  const world = enterWorld();
  world.reset();
  const doors = new Map<string, Doors>();
  for (const path of new Set(
    start.targets.map((target) => target.path).filter((path) => start.only === null || path === start.only),
  )) {
    doors.set(path, await loader.load(path));
    await world.settle([]);
    const effect = world.effect();
    if (effect !== null) throw new Error(`when it is loaded, ${path} asks for ${effect}`);
  }
  return { start, world, coverage, doors };
}
