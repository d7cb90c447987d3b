import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The test's own thread has loaded everything already. */
const SCRIPT = `
  import { MessageChannel } from 'node:worker_threads';
  import { domPort } from ${JSON.stringify(fileURLToPath(new URL('port.ts', import.meta.url)))};
  const { port1, port2 } = new MessageChannel();
  const port = domPort(port1);
  port.onMessage((message) => {
    console.log(JSON.stringify(message), process.moduleLoadList.some((name) => name.includes('undici')));
    port2.close();
  });
  port.onClose(() => console.log('closed'));
  domPort(port2).postMessage({ a: 1 });
`;

test('a port of Node hears messages without loading what Node makes events with', () => {
  const output = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', SCRIPT]).toString();
  expect(output).toBe('{"a":1} false\nclosed\n');
});
