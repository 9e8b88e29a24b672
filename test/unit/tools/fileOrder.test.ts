// The order of test files keeps the files of a project together, because projects share no process.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowestFirst, slowFiles } from '../../helpers/fileOrder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const projects = ['pure', 'sessions', 'slow'];

test('each project is one piece of the queue, and its slowest files begin first', () => {
  const listed = slowFiles.map((path, index) => ({
    moduleId: join(root, path),
    project: { name: projects[index % projects.length]! },
  }));
  const order = slowestFirst(listed.toReversed());
  const names = order.map(({ project }) => project.name);
  expect(names.filter((name, at) => name !== names[at - 1]).toSorted()).toEqual(projects);
  for (const name of projects)
    expect(order.filter(({ project }) => project.name === name)).toEqual(
      listed.filter(({ project }) => project.name === name),
    );
});
