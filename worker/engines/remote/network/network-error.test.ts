// Whatever is wrong with the encryption of a server: a sentence says what, nothing was sent, and no change counts as unknown.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '#shared/protocol/errors.ts';
import { TEST_AUTHORITY } from '../../../../build/sqld/test-certificates.ts';
import type { TestCertificate } from '../../../../build/sqld/test-certificates.ts';
import type { Engine } from '../../engine.ts';
import { answering, startHostileServer } from '../hostile-server.test-suite.ts';
import type { HostileServer } from '../hostile-server.test-suite.ts';
import { createRemoteEngine } from '../remote-engine.ts';
import { lostConnection, describeTls } from './network-error.ts';
import { startNetwork } from './network-thread.test-suite.ts';
import { thrownBy } from '../../thrown-by.test-suite.ts';

let plain: HostileServer;
let encrypted: HostileServer;
/** The location is the address. */
let trusting: Engine;
let usual: Engine;
beforeAll(async () => {
  const reach = (url: string) => ({ url, token: 'secret', readOnly: false });
  [plain, encrypted, trusting, usual] = await Promise.all([
    startHostileServer(),
    startHostileServer('valid'),
    createRemoteEngine(reach, { startNetwork: () => startNetwork(TEST_AUTHORITY) }),
    createRemoteEngine(reach, { startNetwork: () => startNetwork() }),
  ]);
  await plain.behave(answering('[]'));
  await encrypted.behave(answering('[]'));
});
afterAll(async () => {
  await plain.end();
  await encrypted.end();
});

const SENTENCES = /^[A-Z“][^.]*\. Nothing was sent, not even the token, and nothing was changed\. [A-Z].*\.$/;
const otherScheme = (url: string): string =>
  url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:');

describe('a server whose certificate', () => {
  const CASES: readonly (readonly [why: string, certificate: TestCertificate, trusts: boolean, sentence: RegExp])[] = [
    ['has expired', 'expired', true, /has expired/],
    ['is not valid yet', 'notYetValid', true, /not valid yet/],
    ['is for another name', 'otherName', true, /different name/],
    ['was signed by itself', 'selfSigned', true, /signed its certificate itself/],
    ['was signed by an unknown authority', 'valid', false, /authority that this computer trusts/],
  ];
  it.each(CASES)('%s gets no request', async (_why, certificate, trusts, sentence) => {
    const server = await startHostileServer(certificate);
    try {
      const failure = thrownBy(() => (trusts ? trusting : usual).open(server.url, { durability: 'full' }));
      expect(failure).toMatchObject({ code: 'unavailable', detail: { kind: 'network', sent: false } });
      expect(failure.message).toMatch(SENTENCES);
      expect(failure.message).toMatch(sentence);
      expect(await server.seen()).toEqual([]);
    } finally {
      await server.end();
    }
  });

  it('is valid is used, and one that expires meanwhile leaves no doubt about an edit', async () => {
    const connection = trusting.open(encrypted.url, { durability: 'full' });
    const write = connection.prepare('CREATE TABLE t(a)');
    const before = (await encrypted.seen()).length;
    await encrypted.present('expired');
    const failure = thrownBy(() => {
      while (write.step());
    });
    expect(failure.message).toMatch(/has expired\. Nothing was sent/);
    expect(failure.message).not.toMatch(/unknown/);
    expect(await encrypted.seen()).toHaveLength(before);
    await encrypted.present('valid');
    while (write.step());
    expect((await encrypted.seen()).length).toBeGreaterThan(before);
    connection.close();
  });
});

it.skipIf(process.platform !== 'linux')('an authority that only this computer trusts is trusted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-authority-'));
  try {
    const file = join(folder, 'authority.pem');
    writeFileSync(file, TEST_AUTHORITY);
    // Read once per process. OpenSSL takes this file for the list of the system.
    const inOwnProcess = (trusted: string): Promise<string> =>
      run(process.execPath, ['--input-type=module', '--eval', ONE_REQUEST, NETWORK, encrypted.url], {
        env: { ...process.env, SSL_CERT_FILE: trusted, NODE_OPTIONS: '' },
      }).then(({ stdout }) => stdout.trim());
    expect(await inOwnProcess(file)).toBe('head 200');
    expect(await inOwnProcess(join(folder, 'none'))).toMatch(/^failed [A-Z_]+ false$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const run = promisify(execFile);
const NETWORK = new URL('network-thread.ts', import.meta.url).href;
const ONE_REQUEST = `
const [file, url] = process.argv.slice(1);
const { serveNetworkThread } = await import(file);
const { MessageChannel } = await import('node:worker_threads');
const [parent, link] = [new MessageChannel(), new MessageChannel()];
serveNetworkThread(parent.port1);
parent.port2.postMessage({ t: 'init', bell: new Int32Array(new SharedArrayBuffer(4)), port: link.port1 }, [link.port1]);
link.port2.on('message', ({ t, status, why, isSent }) => {
  console.log(t === 'head' ? 'head ' + status : 'failed ' + why + ' ' + isSent);
  process.exit();
});
const body = JSON.stringify({ requests: [] });
link.port2.postMessage({ t: 'send', id: 1, request: { url, method: 'POST', headers: {}, body } });`;

describe('a server', () => {
  it('that speaks no TLS is told apart from one that is away', async () => {
    const before = (await plain.seen()).length;
    const failure = thrownBy(() => trusting.open(otherScheme(plain.url), { durability: 'full' }));
    expect(failure.message).toMatch(SENTENCES);
    expect(failure.message).toMatch(/does not speak TLS/);
    expect(await plain.seen()).toHaveLength(before);
  });

  it('that expects TLS is suggested when a request without it fails', async () => {
    const before = (await encrypted.seen()).length;
    const failure = thrownBy(() => trusting.open(otherScheme(encrypted.url), { durability: 'full' }));
    expect(failure.message).toMatch(/If the server expects encryption, the address begins with “https:\/\/”\.$/);
    expect(await encrypted.seen()).toHaveLength(before);
  });

  it.each([
    ['ends the connection', '', /ended the connection before it was encrypted/],
    ['speaks of something else', 'SSH-2.0-OpenSSH_9.6\r\n', /does not speak TLS/],
    ['has no common version', '\x15\x03\x03\x00\x02\x02\x46', /no common version/],
    ['has no common cipher', '\x15\x03\x03\x00\x02\x02\x28', /no common version/],
    ['does not know the name', '\x15\x03\x03\x00\x02\x02\x70', /does not recognize the name/],
    ['reports another failure of TLS', '\x15\x03\x03\x00\x02\x02\x50', /could not be set up \(ERR_SSL_/],
  ])('that %s instead of a handshake gets nothing', async (_what, says, sentence) => {
    const server = await listening(says);
    try {
      const { port } = server.address() as { readonly port: number };
      const failure = await failureWhileServing(`https://127.0.0.1:${port}/`);
      expect(failure.message).toMatch(SENTENCES);
      expect(failure.message).toMatch(sentence);
    } finally {
      server.close();
    }
  });
});

function listening(says: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(says, 'latin1')));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** The server is on this thread, which an engine would block. */
async function failureWhileServing(url: string): Promise<AppError> {
  const { port1, port2 } = new MessageChannel();
  const thread = startNetwork();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  thread.postMessage({ t: 'init', bell, port: port2 }, [port2]);
  const failed = new Promise<AppError>((resolve) => {
    port1.on('message', ({ t, why, isSent }: { t: string; why: string; isSent: boolean }) => {
      if (t === 'failed') resolve(lostConnection(why, isSent));
    });
  });
  port1.postMessage({ t: 'send', id: 1, request: { url, method: 'POST', headers: {}, body: '{}' } });
  const error = await failed;
  await thread.terminate();
  return error;
}

describe('the codes', () => {
  it.each([
    ['UNABLE_TO_GET_ISSUER_CERT', /whole chain/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /authority that this computer trusts/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /authority that this computer trusts/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /authority that this computer trusts/],
    ['CERT_REVOKED', /revoked/],
    ['CERT_SIGNATURE_FAILURE', /not valid/],
    ['HOSTNAME_MISMATCH', /different name/],
    ['EPROTO', /could not be set up \(EPROTO\)/],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', /does not speak TLS/],
    // BoringSSL's names.
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /no common version/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no common version/],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /does not recognize the name/],
  ])('%s has a sentence', (code, sentence) => {
    const { message, what } = lostConnection(code, false);
    expect(message).toMatch(SENTENCES);
    expect(message).toMatch(sentence);
    expect(message.startsWith(what!)).toBe(true);
  });

  it('of a connection that fails after a request claim nothing about what was sent', () => {
    const failure = lostConnection('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', true);
    expect(failure.message).toMatch(/^The encrypted connection to the server failed .*\.$/);
    expect(failure.message).not.toMatch(/Nothing was/);
    expect(failure.detail).toMatchObject({ sent: true });
    expect(lostConnection('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', true).message).toMatch(
      /certificate of its client/,
    );
  });

  it('of other failures, and names that every object has, are not about encryption', () => {
    for (const code of ['ECONNREFUSED', 'UND_ERR_SOCKET', 'constructor', '__proto__']) {
      expect(describeTls(code, false)).toBeNull();
      expect(lostConnection(code, false).message).toMatch(/^[A-Z].*\.$/);
    }
    expect(describeTls('ECONNRESET', true)).toBeNull();
  });
});
