import { assert, asyncProperty, constantFrom, scheduler } from 'fast-check';
import type { Scheduler } from 'fast-check';
import { expect, it } from 'vitest';
import { claimLibrary } from './library-lock.ts';

interface Request {
  readonly clientId: string;
  readonly name: string;
  readonly grant: () => void;
}

/** The browser's side of all pages: one lock manager, one channel, and every message takes as long as `delay` says. */
class Browser {
  readonly #delay: (what: string) => Promise<unknown>;
  #held: Request[] = [];
  #pending: Request[] = [];
  readonly #channels = new Map<string, (event: MessageEvent) => void>();
  #timers: (() => void)[] = [];

  constructor(delay: (what: string) => Promise<unknown>) {
    this.#delay = delay;
  }

  open(clientId: string): string[] {
    const told: string[] = [];
    const channel = {
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage: (data: unknown): void => {
        for (const [other, hear] of this.#channels)
          if (other !== clientId)
            void this.#delay(`${String(data)} of ${clientId}`).then(() => hear({ data } as never));
      },
    };
    this.#channels.set(clientId, (event) => this.#channels.has(clientId) && channel.onmessage?.(event));
    claimLibrary(
      { owned: () => told.push('owned'), elsewhere: () => told.push('elsewhere') },
      {
        channel: channel as never,
        locks: { request: this.#request(clientId), query: () => this.#query() } as never,
        after: (_delayMs, action) => void this.#timers.push(action),
      },
    );
    return told;
  }

  /** Its scripts are over; the locks it holds are not released yet. */
  silence(clientId: string): void {
    this.#channels.delete(clientId);
  }

  end(clientId: string): void {
    this.silence(clientId);
    this.#held = this.#held.filter((lock) => lock.clientId !== clientId);
    this.#pending = this.#pending.filter((lock) => lock.clientId !== clientId);
    this.#grantNext();
  }

  letTimePass(): void {
    for (const timer of this.#timers.splice(0)) timer();
  }

  #grantNext(): void {
    for (const request of [...this.#pending]) {
      if (this.#held.some(({ name }) => name === request.name)) continue;
      this.#pending.splice(this.#pending.indexOf(request), 1);
      this.#held.push(request);
      void this.#delay(`grant to ${request.clientId}`).then(request.grant);
    }
  }

  readonly #request =
    (clientId: string) =>
    (name: string, ...rest: readonly unknown[]): Promise<unknown> =>
      new Promise((resolve) => {
        const body = rest.at(-1) as () => Promise<unknown>;
        this.#pending.push({ clientId, name, grant: () => void body().then(resolve) });
        this.#grantNext();
      });

  async #query(): Promise<{ held: { name: string; clientId: string }[] }> {
    const held = this.#held.map(({ name, clientId }) => ({ name, clientId }));
    await this.#delay('query');
    return { held };
  }
}

/** Runs everything pending, in an order that the scheduler chooses. */
async function settle(order: Scheduler): Promise<void> {
  do await order.waitIdle();
  while (order.count() > 0);
}

const browserOf = (order: Scheduler): Browser => new Browser((what) => order.schedule(Promise.resolve(), what));

it('a free lock is never somebody else’s, however late it is granted', () =>
  assert(
    asyncProperty(scheduler(), async (order) => {
      const browser = browserOf(order);
      const told = browser.open('a');
      browser.letTimePass(); // all timeouts expire before any answer
      await settle(order);
      browser.letTimePass();
      await settle(order);
      expect(told).toEqual(['owned']);
    }),
  ));

it('of several pages one owns the library, the others are told, and each goes on in its turn', () =>
  assert(
    asyncProperty(scheduler(), constantFrom(2, 3, 4), async (order, count) => {
      const browser = browserOf(order);
      const pages = Array.from({ length: count }, (_, index) => ({
        id: `page ${index}`,
        told: browser.open(`page ${index}`),
      }));
      await settle(order);
      for (const [at, { id }] of pages.entries()) {
        browser.letTimePass();
        await settle(order);
        expect(pages[at]!.told.at(-1)).toBe('owned');
        for (const { told } of pages.slice(at + 1)) expect(told).toEqual(['elsewhere']);
        browser.end(id);
        await settle(order);
      }
    }),
  ));

it('a page that is being reloaded is no other window: its lock is waited for', () =>
  assert(
    asyncProperty(scheduler(), async (order) => {
      const browser = browserOf(order);
      const before = browser.open('before');
      await settle(order);
      expect(before).toEqual(['owned']);
      browser.silence('before');
      const after = browser.open('after');
      await settle(order);
      expect(after).toEqual([]);
      browser.end('before');
      await settle(order);
      expect(after).toEqual(['owned']);
    }),
  ));

it('an owner that never answers is told of all the same, after a while', () =>
  assert(
    asyncProperty(scheduler(), async (order) => {
      const browser = browserOf(order);
      browser.open('frozen');
      await settle(order);
      browser.silence('frozen');
      const told = browser.open('other');
      await settle(order);
      browser.letTimePass();
      await settle(order);
      expect(told).toEqual(['elsewhere']);
      browser.end('frozen');
      await settle(order);
      expect(told).toEqual(['elsewhere', 'owned']);
    }),
  ));
