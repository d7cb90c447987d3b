/**
 * Whether the trace of a failed test has the document as it was at each action. Taking that costs a tenth of the time of all tests, so it is
 * for a closer look at one of them: `SIDELITE_TRACE_SNAPSHOTS=1 npm run e2e -- edit.spec`.
 */
export const TRACES_DOCUMENT = process.env['SIDELITE_TRACE_SNAPSHOTS'] === '1';
