/** A file that comes with a letter. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: string;
}

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: Attachment[];
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
