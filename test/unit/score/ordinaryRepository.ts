// An ordinary repository of 500 files for tests of the ruler: 499 files and the one that a test changes.

import type { Measures } from '../../../server/src/core/model.ts';
import { analyse } from '../analysis/analyseCase.ts';

/** Ordinary files: some complexity, some `any`, some documentation, now and then something unused. */
export const ordinary = [0, 1, 2, 3, 4].map(
  (index) => `import { a } from './a';
${index === 0 ? "import { b } from './b';\n" : ''}${index % 2 ? '/** Counts what is left after a day. */\n' : ''}export function rest${index}(rows: any[], limit${index}: number) {
  let sum = 0;
  for (const row of rows) {
    if (row.open) {
      sum += row.value;
      if (sum > limit${index}) return a(sum);
    } else {
      sum--;
    }
  }
  const copied = [...rows.map((row) => row.value!)];
  return copied.length + sum;
}
`,
);
export const repository: readonly Measures[] = Array.from(
  { length: 499 },
  (_, index) => analyse(`src/file${index}.ts`, ordinary[index % ordinary.length]!).measures,
);

export const target = `import { start, unused } from './start';
import { idle } from './idle';

function forgotten(value: number) {
  return helper(value);
}
function helper(value: number) {
  return value + 1;
}

/** Sends what is due to the printer of the house. */
export function send(items: readonly string[], flag: boolean, print: (text: string) => void) {
  start();
  for (const item of items) {
    if (item.length > 0) {
      print(item);
      if (flag) {
        print('flagged');
      }
      print('end');
    }
  }
  if (flag) {
    return 1;
  } else {
    print('not flagged');
  }
  print('a');
  print('b');
  print('c');
  print('d');
  return 2;
}

export function open(name: string) {
  const value: any = name;
  const list = [...name.split(',').map((part) => part.trim())];
  try {
    start();
  } catch {}
  return list.length + value!.size;
}

// Closes what was opened before.
export function close(name: string) {
  return name;
}
`;
