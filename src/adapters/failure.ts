/** An outside system failed or took too long. What it did meanwhile is not known. */
export class AdapterFailure extends Error {
  readonly adapter: string;
  readonly kind: 'failed' | 'timeout';

  constructor(adapter: string, kind: 'failed' | 'timeout', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AdapterFailure';
    this.adapter = adapter;
    this.kind = kind;
  }
}
