// Diagnostics of tsc, vue-tsc and tsgo, in their plain and their pretty form.

import { plain } from './plain.ts';
import type { Problem } from './problem.ts';

const PLAIN = /^(?<path>\S.*?)\(\d+,\d+\): error (?<code>TS\d+): (?<message>.*)$/;
const PRETTY = /^(?<path>\S.*?):\d+:\d+ - error (?<code>TS\d+): (?<message>.*)$/;
/** Trouble with the configuration belongs to no file. */
const GLOBAL = /^error (?<code>TS\d+): (?<message>.*)$/;

/** In the order of the output. */
export function parseTypeErrors(output: string): Problem[] {
  return plain(output).split('\n').flatMap((line) => {
    const found = (PLAIN.exec(line) ?? PRETTY.exec(line) ?? GLOBAL.exec(line))?.groups;
    return found ? [{ path: found['path'] ?? '', code: found['code'] ?? '', message: found['message'] ?? '' }] : [];
  });
}
