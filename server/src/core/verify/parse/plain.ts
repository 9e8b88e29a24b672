// Text without colours and with uniform line ends.

/** CSI sequences of ECMA-48 and OSC sequences (links, titles) are removed. */
export function plain(text: string): string {
  return text
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g, '')
    .replace(/\r\n?/g, '\n');
}
