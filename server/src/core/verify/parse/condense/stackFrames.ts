// Shortens stack traces: frames of the repository remain; those of packages, runners and runtimes are counted.

/** Maximum number of frames of the repository in one trace. */
const MAX_OWN_FRAMES = 5;
/** Matches a frame of JavaScript: in a list of `at`, in the YAML of a TAP report, or of Vitest. */
const SCRIPT_FRAME_PATTERN =
  /^ *(?:at |❯ )\S|^ *(?:async |new )?[\w$.<>]{1,200}(?: \[as \w{1,100}\])? \(\S{1,400}\)$|^ *async Promise\.all/;
/** Matches the line and the column at the end of a frame of JavaScript. */
const PLACE_AT_END_PATTERN = /:\d+:\d+\)?(?: \{)?$/;
/** Matches the path of code outside of the repository in a frame of JavaScript. */
const FOREIGN_SCRIPT_PATTERN =
  /\((?:node:|native\b|<anonymous>)|(?:^|[\s(/])node_modules\/|(?:at|async) (?:async )?node:|^ *at new Promise|Promise\.all \(index/;
/** Matches the first line of a frame of Python, with the path. */
const PYTHON_FRAME_PATTERN = /^ {2}File "([^"]*)", line \d+/;
/** Matches the path of Python code outside of the repository. */
const FOREIGN_PYTHON_PATTERN = /site-packages\/|\/lib\/python\d|^<frozen/;
/** Matches the second line of a frame of Go, with the path. */
const GO_PLACE_PATTERN = /^\t(\S+\.go):\d+(?: \+0x[0-9a-f]+)?$/;
/** Matches the path of Go code outside of the repository. */
const FOREIGN_GO_PATTERN = /\/(?:go|go-\d[\d.]*)\/src\/|\/pkg\/mod\//;

/** The lines of one frame. */
interface Frame {
  readonly lines: readonly string[];
  readonly isForeign: boolean;
}

/** Returns the lines with shortened traces. */
export function shortenTraces(lines: readonly string[]): readonly string[] {
  const output: string[] = [];
  let trace: Frame[] = [];
  for (let index = 0; index < lines.length; ) {
    const frame = readFrame(lines, index);
    if (frame) {
      trace.push(frame);
      index += frame.lines.length;
      continue;
    }
    output.push(...shortenTrace(trace), lines[index]!);
    trace = [];
    index += 1;
  }
  return [...output, ...shortenTrace(trace)];
}

/** The frame that begins in this line; null if none does. */
function readFrame(lines: readonly string[], index: number): Frame | null {
  const line = lines[index]!;
  const file = PYTHON_FRAME_PATTERN.exec(line)?.[1];
  if (file !== undefined) {
    let end = index + 1;
    while (/^ {4}/.test(lines[end] ?? '')) end += 1;
    return { lines: lines.slice(index, end), isForeign: FOREIGN_PYTHON_PATTERN.test(file) };
  }
  const place = /^\S.*\)$|^created by /.test(line) ? GO_PLACE_PATTERN.exec(lines[index + 1] ?? '')?.[1] : undefined;
  if (place !== undefined) return { lines: lines.slice(index, index + 2), isForeign: FOREIGN_GO_PATTERN.test(place) };
  if (!SCRIPT_FRAME_PATTERN.test(line)) return null;
  const isForeign = FOREIGN_SCRIPT_PATTERN.test(line);
  return isForeign || PLACE_AT_END_PATTERN.test(line) ? { lines: [line], isForeign } : null;
}

/**
 * The frames of the repository that are closest to the error, and the number of other frames. If no frame is of the
 * repository, the closest frame.
 */
function shortenTrace(trace: readonly Frame[]): readonly string[] {
  if (trace.length < 2) return trace.flatMap(({ lines }) => lines);
  // Python prints the frame of the error last.
  const closest = (frames: readonly Frame[], count: number) =>
    PYTHON_FRAME_PATTERN.test(trace[0]!.lines[0]!) ? frames.slice(-count) : frames.slice(0, count);
  const ownFrames = trace.filter(({ isForeign }) => !isForeign);
  const frames = ownFrames.length === 0 ? closest(trace, 1) : closest(ownFrames, MAX_OWN_FRAMES);
  const omittedCount = trace.length - frames.length;
  const lastLine = trace.at(-1)!.lines.at(-1)!;
  // Node prints the properties of an error behind its last frame.
  const ending = lastLine.endsWith(' {') && frames.at(-1) !== trace.at(-1) ? ' {' : '';
  const note = `    (${omittedCount} more ${omittedCount === 1 ? 'frame' : 'frames'})${ending}`;
  return [...frames.flatMap(({ lines }) => lines), ...(omittedCount === 0 ? [] : [note])];
}
