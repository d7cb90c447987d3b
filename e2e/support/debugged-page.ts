// A page of an app that was started with a debugging port, for specs that cannot start it through Playwright.

interface Target {
  readonly id: string;
  readonly url: string;
  readonly webSocketDebuggerUrl: string;
}

/** Null while there is no such page, or nothing is listening on the port. */
export async function findPage(port: number, address: string): Promise<Target | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/json`);
    const targets = (await response.json()) as readonly Target[];
    return targets.find(({ url }) => url.startsWith(address)) ?? null;
  } catch {
    return null;
  }
}

/** Value of an expression in the page; undefined when the page is gone before it has answered. */
export async function evaluateIn({ webSocketDebuggerUrl }: Target, expression: string): Promise<unknown> {
  const socket = new WebSocket(webSocketDebuggerUrl);
  try {
    return await new Promise((resolve) => {
      socket.onopen = () =>
        socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, returnByValue: true } }));
      socket.onmessage = ({ data }: MessageEvent<string>) => {
        const { id, result } = JSON.parse(data) as { id?: number; result?: { result?: { value?: unknown } } };
        if (id === 1) resolve(result?.result?.value);
      };
      socket.onclose = () => resolve(undefined);
      socket.onerror = () => resolve(undefined);
    });
  } finally {
    socket.close();
  }
}
