// A server that dies in the middle of a command: a person reads a sentence of ours, not a message of a library.

import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { isLostCall, composeLossMessage } from '../../../client/src/server/lostCall.ts';

test('a request whose server is killed is told from other failures', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onClose(() => connection.dispose());
  connection.listen();
  const answer = connection.sendRequest('workspace/executeCommand').then(
    () => 'answered',
    (error: unknown) => error,
  );
  child.kill('SIGKILL');
  const lost = await answer;
  expect([isLostCall(lost), String(lost)]).toEqual([true, expect.any(String)]);
  expect(isLostCall(Object.assign(new Error('Cancelled.'), { code: -32800 }))).toBe(false);
  expect(isLostCall(new Error('Pending response rejected since connection got disposed'))).toBe(false);
});

test('what was interrupted, that it starts again, and how to go on', () => {
  expect(composeLossMessage('apply', true)).toBe(
    'The language server was stopped while it was applying a change. It restarts automatically. The proposal is back in the list: apply it again. Checks that have passed do not run again.',
  );
  expect(composeLossMessage('apply', false)).toContain('Restart Language Server');
  expect(composeLossMessage('dismiss', true)).toContain('Try it once more.');
});
