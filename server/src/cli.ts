#!/usr/bin/env node
// Entry of the command line: checks the version of Node, then runs the command. All other modules are loaded after the
// check, so that an old Node prints a sentence instead of a stack trace.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 13)) {
  const { silenceSqliteWarning } = await import('./cli/quietSqlite.ts');
  silenceSqliteWarning();
  const { enableCompileCache } = await import('./cli/compileCache.ts');
  enableCompileCache();
  const { runCommandLine } = await import('./cli/program.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  const { findNodeOfClone, runWithNode } = await import('./cli/newerNode.ts');
  const newerNode = findNodeOfClone();
  if (newerNode) process.exitCode = await runWithNode(newerNode, process.argv.slice(1));
  else {
    process.stderr.write(
      `Selfware needs Node 22.13 or newer; this is ${process.versions.node}. In a clone of Selfware, \`npm start\` brings one.\n`,
    );
    process.exitCode = 2;
  }
}

export {};
