// A recording of a page as a GIF: what is seen, at the pace of a reader. Waits are cut short, scenes are held.

import { writeFileSync } from 'node:fs';
import gifenc from 'gifenc';
import { PNG } from 'pngjs';
import { eventually } from '../harness.mjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;

/**
 * Milliseconds for all that is no scene to look at: what moves, and what a reader would wait for. A slow machine makes
 * no longer recording.
 */
const MOVING = 4500;
const WAITING = 2300;
/** Milliseconds. Viewers show shorter frames at a pace of their own. */
const SHORTEST_FRAME = 40;
/** One colour of the 256 is kept for "as before". */
const COLOURS = 255;

/** Takes a picture whenever the page has changed, from `start` on. */
export function createRecorder(page) {
  const frames = [];
  let on = false;
  let waiting = false;
  let done = Promise.resolve();
  return {
    start() {
      on = true;
      done = (async () => {
        while (on) await look();
      })();
      // Told by `write`; a page that closes after a failed step is none of its trouble, and what it ran on must be
      // ended.
      done.catch(() => undefined);
    },
    /** Work that takes its time: what is seen meanwhile runs past. */
    async waitFor(work) {
      waiting = true;
      await work;
      waiting = false;
    },
    /** What is on the page now is shown for at least so long. */
    async hold(millis) {
      await look();
      frames.at(-1).least = millis;
    },
    /** Ends the recording, writes it, and tells its seconds, frames and bytes. */
    async write(path) {
      on = false;
      await done;
      const shown = paced(frames);
      const bytes = encode(shown);
      writeFileSync(path, bytes);
      return {
        seconds: shown.reduce((sum, { delay }) => sum + delay, 0) / 1000,
        frames: shown.length,
        bytes: bytes.length,
      };
    },
  };

  async function look() {
    const png = await page.screenshot({ caret: 'initial' });
    const now = performance.now();
    const last = frames.at(-1);
    if (last) last.until = now;
    if (!last?.png.equals(png)) frames.push({ png, since: now, until: now, least: 0, waiting });
  }
}

/**
 * Moves a drawn pointer, the only thing on the pictures that is not the workbench's own: a headless browser draws none.
 * Resolves with the place, for the real mouse.
 */
export async function pointAt(page, locator) {
  // Buttons in an editor are made anew when something of it changes.
  let box = null;
  await eventually(async () => (box = await locator.boundingBox()) !== null, 'there is something to point at');
  const [x, y] = [box.x + Math.min(box.width / 2, 60), box.y + box.height / 2];
  await page.evaluate(
    ([left, top]) => {
      let pointer = document.getElementById('pointer');
      if (!pointer) {
        pointer = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        pointer.id = 'pointer';
        pointer.setAttribute('viewBox', '0 0 16 24');
        const arrow = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        arrow.setAttribute('d', 'M1 1v18l4.5-4 3 7 3-1.3-3-6.7H14z');
        arrow.setAttribute('fill', '#000');
        arrow.setAttribute('stroke', '#fff');
        pointer.append(arrow);
        Object.assign(pointer.style, {
          position: 'fixed',
          width: '18px',
          height: '27px',
          left: '50%',
          top: '50%',
          zIndex: 100000,
          pointerEvents: 'none',
          transition: 'left 350ms ease-in-out, top 350ms ease-in-out',
        });
        document.body.append(pointer);
        pointer.getBoundingClientRect();
      }
      const moved = new Promise((resolve) => pointer.addEventListener('transitionend', resolve, { once: true }));
      const still = pointer.style.left === `${left}px` && pointer.style.top === `${top}px`;
      Object.assign(pointer.style, { left: `${left}px`, top: `${top}px` });
      return still ? undefined : moved;
    },
    [x, y],
  );
  return { x, y };
}

export async function pointAndClick(page, locator) {
  const { x, y } = await pointAt(page, locator);
  await page.mouse.click(x, y);
}

/**
 * The frames with their `delay`. Scenes keep theirs, all others share what there is; one that would pass too fast is
 * left out.
 */
function paced(frames) {
  const lasts = ({ since, until }) => Math.max(1, until - since);
  const sumOf = (isWaiting) =>
    frames
      .filter(({ least, waiting }) => least === 0 && waiting === isWaiting)
      .reduce((sum, frame) => sum + lasts(frame), 0);
  const scale = { true: Math.min(1, WAITING / sumOf(true)), false: Math.min(1, MOVING / sumOf(false)) };
  let left = 0;
  return frames.flatMap((frame) => {
    left += frame.least || lasts(frame) * scale[frame.waiting];
    if (left < SHORTEST_FRAME) return [];
    const delay = Math.round(left / 10) * 10;
    left -= delay;
    return [{ ...frame, delay }];
  });
}

/** One palette for all, and in each frame only what is new. */
function encode(frames) {
  const pictures = frames.map(({ png }) => PNG.sync.read(png));
  const [{ width, height }] = pictures;
  const palette = quantize(sampled(pictures), COLOURS);
  const same = palette.length;
  const gif = GIFEncoder();
  let before = null;
  pictures.forEach(({ data }, i) => {
    const indices = applyPalette(data, palette);
    const fresh = before === null ? indices : indices.map((index, at) => (index === before[at] ? same : index));
    gif.writeFrame(fresh, width, height, {
      ...(before === null ? { palette: [...palette, [0, 0, 0]] } : { transparent: true, transparentIndex: same }),
      delay: frames[i].delay,
      dispose: 1,
    });
    before = indices;
  });
  gif.finish();
  return gif.bytes();
}

/** Pixels of all pictures, thinned out: rare colours of later scenes count like those of the first. */
function sampled(pictures) {
  const step = 7;
  const perPicture = Math.floor(pictures[0].data.length / 4 / step);
  const every = Math.max(1, Math.floor(pictures.length / 24));
  const chosen = pictures.filter((_, i) => i % every === 0);
  const pixels = new Uint32Array(perPicture * chosen.length);
  chosen.forEach(({ data }, nth) => {
    const words = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
    for (let at = 0; at < perPicture; at++) pixels[nth * perPicture + at] = words[at * step];
  });
  return new Uint8Array(pixels.buffer);
}
