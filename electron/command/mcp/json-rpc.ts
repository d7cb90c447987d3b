// Messages of JSON-RPC 2.0 (jsonrpc.org/specification), as far as a server of the Model Context Protocol gets them.

export type Id = string | number;
export type Params = Readonly<Record<string, unknown>>;

/** `response`: nothing was asked of the client, so what it responds to is not known. */
export type Received =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response' }
  | { readonly kind: 'wrong'; readonly id: Id | null };

export const ERROR = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  resource: -32002,
  internal: -32603,
};

/** What a request is answered with in place of a result. */
export class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Undefined: this is no JSON. */
export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function received(message: unknown): Received {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return { kind: 'wrong', id: null };
  const { jsonrpc, id: given, method, params = {} } = message as Params;
  const id = typeof given === 'string' || typeof given === 'number' ? given : null;
  if (jsonrpc === '2.0' && method === undefined && ('result' in message || 'error' in message))
    return { kind: 'response' };
  const isCall = jsonrpc === '2.0' && typeof method === 'string' && typeof params === 'object' && params !== null;
  // A client that knows which of its requests failed does not wait for it.
  if (!isCall || (given !== undefined && id === null)) return { kind: 'wrong', id };
  const call = { method, params: params as Params };
  return id === null ? { kind: 'notification', ...call } : { kind: 'request', id, ...call };
}
