// Runs inside the sandbox: offers the network gate as a proxy on the loopback of the command's own network, then starts
// the command.

/**
 * The program of the relay, which is passed to Node as text, so it must not use anything outside of itself. Its
 * arguments are the name of the socket in the temporary folder, then the command.
 */
function relay(): void {
  const net = process.getBuiltinModule('node:net');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [name = '', program = '', ...words] = process.argv.slice(1);
  const path = `${process.env['TMPDIR'] ?? '/tmp'}/${name}`;
  const server = net.createServer((client) => {
    const gate = net.connect(path);
    for (const [source, target] of [
      [client, gate],
      [gate, client],
    ] as const) {
      source.on('error', () => target.destroy());
      source.on('close', () => target.destroy());
      source.pipe(target);
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const env: Record<string, string | undefined> = { ...process.env, ELECTRON_RUN_AS_NODE: undefined };
    for (const variable of [
      'http_proxy',
      'https_proxy',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'npm_config_proxy',
      'npm_config_https_proxy',
      'YARN_HTTP_PROXY',
      'YARN_HTTPS_PROXY',
    ])
      env[variable] = address;
    const child = spawn(program, words, { stdio: 'inherit', env, shell: process.platform === 'win32' });
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(127);
    });
    child.once('exit', (code) => process.exit(code ?? 1));
  });
}

/** The command line that runs `command` with the gate as its proxy. */
export function createRelayCommand(socketName: string, command: readonly string[]): readonly string[] {
  return ['node', '-e', `(${relay.toString()})()`, socketName, ...command];
}
