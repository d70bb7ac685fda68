/**
 * Kind of failure of an outside system: it `failed` or ran into a `timeout`, and its effect is not known; it `refused`,
 * and did nothing; or it is `unavailable`, and was not called at all.
 */
export type FailureKind = 'failed' | 'timeout' | 'refused' | 'unavailable';

/** An outside system did not do what it was asked. */
export class AdapterFailure extends Error {
  readonly adapter: string;
  readonly kind: FailureKind;

  constructor(adapter: string, kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AdapterFailure';
    this.adapter = adapter;
    this.kind = kind;
  }

  /** True if it may have done as asked, although it did not answer so. Otherwise it surely did not. */
  get mayHaveDone(): boolean {
    return this.kind === 'failed' || this.kind === 'timeout';
  }
}
