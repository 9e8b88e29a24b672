// Recognises errors of commands that the end of the language server has interrupted, and makes the message for the
// person. Does not import VS Code, so that it can be tested without it.

/**
 * Error codes for a closed connection: `MessageWriteError` (-32099), `PendingResponseRejected` (-32097) and
 * `ConnectionInactive` (-32096) of vscode-jsonrpc, its codes for closed (1) and disposed (2) connections, and the codes
 * of the system and of Node for a closed pipe.
 */
const LOST_CODES: readonly unknown[] = [
  -32099,
  -32097,
  -32096,
  1,
  2,
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_IPC_CHANNEL_CLOSED',
];

/** Phrases about the interrupted work, and sentences about how to continue, by command. */
const INTERRUPTED_CALL_TEXTS: Readonly<Record<string, { readonly workPhrase: string; readonly nextStep: string }>> = {
  apply: {
    workPhrase: 'applying a change',
    nextStep: 'The proposal is back in the list: apply it again. Checks that have passed do not run again.',
  },
  improve: {
    workPhrase: 'making a proposal',
    nextStep: 'Run Improve again. Checks that have passed do not run again.',
  },
  rollback: {
    workPhrase: 'rolling a change back',
    nextStep:
      'The files are either as before or rolled back, never in between. Look at them, and roll back again if needed.',
  },
  judge: { workPhrase: 'checking a change in your files', nextStep: 'The checks restart automatically.' },
  index: { workPhrase: 'indexing', nextStep: 'Indexing continues where it was.' },
};

/**
 * True if the error says that the answer can never arrive, because the server process has ended. Recognised by the
 * error's code, never by its text.
 */
export function isLostCall(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LOST_CODES.includes(error.code);
}

/**
 * The message about an interrupted command: the interrupted work, the state of the server, and how to continue.
 * `isRestarting`: true if the server restarts automatically.
 */
export function composeLossMessage(command: string, isRestarting: boolean): string {
  const { workPhrase, nextStep } = INTERRUPTED_CALL_TEXTS[command] ?? {
    workPhrase: 'working for you',
    nextStep: 'Try it once more.',
  };
  const serverSentence = isRestarting
    ? 'It restarts automatically.'
    : 'Restart it by "Selfware: Restart Language Server".';
  return `The language server was stopped while it was ${workPhrase}. ${serverSentence} ${nextStep}`;
}
