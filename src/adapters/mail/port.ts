export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Takes mail to where its recipient gets it. */
export interface Mailer {
  /**
   * Resolves once the mail was taken over; rejects with an AdapterFailure, which never quotes the letter or its
   * address.
   */
  send(letter: Letter): Promise<void>;
  close(): void;
}
