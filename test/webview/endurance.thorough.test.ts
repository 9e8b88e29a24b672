// Eight hours of events in a minute: fifty thousand messages, and the page takes no more memory in the last quarter
// than in the first.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { full, opportunities } from './fixtures/states.ts';
import { state } from './fixtures/views.ts';
import { settled, startPageHouse, type PageHouse } from './sidebarPage.ts';

/** Eight hours of two messages a second, less what is folded into one. */
const messages = 50_000;
const quarters = 8;
/** Bytes. A message is some kilobytes: were one in a hundred kept, it would be seen. */
const allowed = 400_000;
let house: PageHouse;

beforeAll(async () => {
  house = await startPageHouse();
});

afterAll(async () => {
  await house.close();
});

test('the heap stays flat', async () => {
  const { page, receive, troubles } = await house.open({ opportunities: opportunities(10_000), saved: { folded: [] } });
  await receive(state({ opportunityCount: 10_000 }));
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    return { usedSize, nodes, jsEventListeners };
  };
  await feed(500, 0);
  const samples: Awaited<ReturnType<typeof heap>>[] = [];
  for (let part = 0; part < quarters; part++) {
    await feed(messages / quarters, (part * messages) / quarters);
    samples.push(await heap());
  }
  const mean = (of: (sample: (typeof samples)[number]) => number, some: typeof samples) =>
    some.reduce((sum, sample) => sum + of(sample), 0) / some.length;
  const [firstQuarter, lastQuarter] = [samples.slice(0, quarters / 4), samples.slice(-quarters / 4)];
  console.log(
    `heap after each eighth (MB): ${samples.map(({ usedSize }) => (usedSize / 1e6).toFixed(2)).join(' ')}; nodes ${samples.map(({ nodes }) => nodes).join(' ')}`,
  );
  expect(mean(({ usedSize }) => usedSize, lastQuarter) - mean(({ usedSize }) => usedSize, firstQuarter)).toBeLessThan(
    allowed,
  );
  expect(mean(({ nodes }) => nodes, lastQuarter)).toBeLessThan(1.1 * mean(({ nodes }) => nodes, firstQuarter) + 50);
  expect(mean(({ jsEventListeners }) => jsEventListeners, lastQuarter)).toBeLessThan(
    1.1 * mean(({ jsEventListeners }) => jsEventListeners, firstQuarter) + 20,
  );
  expect(await troubles()).toEqual([]);
  await page.close();

  /** As the host sends them: progress, mostly; at times new points, events, proposals and another list. */
  async function feed(count: number, from: number): Promise<void> {
    await page.evaluate(
      async ({ base, count: total, from: start }) => {
        const page = document.querySelector('selfware-sidebar') as unknown as {
          readonly updateComplete: Promise<unknown>;
        };
        const rows = document.querySelector('selfware-rows');
        for (let i = start; i < start + total; i++) {
          const text = `file ${i} of a long night `.repeat(4);
          let changes: object = { activity: 'indexing', progress: { message: text, done: i, total: 1e6 } };
          if (i % 10 === 0)
            changes = {
              events: base.events.map((event, at) => ({ ...event, sequence: i + at, text: `${text} ${at}` })),
            };
          if (i % 25 === 0)
            changes = {
              trend: base.trend.map((point, at) => ({ ...point, total: 50 + ((i + at * 7) % 90) / 10, cause: text })),
              points: { ...base.points, total: 50 + (i % 90) / 10 },
            };
          if (i % 40 === 0)
            changes = {
              pending: [{ ...base.pending[0], id: `p${i}`, title: text }],
              checkpoints: base.checkpoints.map((checkpoint) => ({ ...checkpoint, title: text })),
            };
          if (i % 500 === 0) changes = { opportunityRevision: i, activity: 'idle', progress: null };
          if (i % 400 === 0) rows?.scrollTo(0, ((i / 400) % 20) * 15_000);
          if (i % 3000 === 0)
            window.dispatchEvent(
              new MessageEvent('message', {
                data: { type: i % 6000 === 0 ? 'failure' : 'state', message: text, state: base },
              }),
            );
          window.dispatchEvent(new MessageEvent('message', { data: { type: 'patch', changes } }));
          // Drawn; now and then painted, and answers of the host come in.
          if (i % 2 === 0) await page.updateComplete;
          if (i % 100 === 0) await new Promise((done) => setTimeout(done));
        }
      },
      { base: { ...full, opportunityCount: 10_000 }, count, from },
    );
    await settled(page);
  }
});
