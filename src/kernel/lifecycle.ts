/** The states that an action leads from and to. */
export interface Edge<Status extends string = string> {
  /** The states in which the action is open. */
  readonly from: readonly Status[];
  readonly to: Status;
  /** The type of the message that integrators get of it. */
  readonly emits?: string;
}

/** Actions with their states before and after; an action that is not listed is refused. */
export type Lifecycle<Status extends string> = Readonly<Record<string, Edge<Status>>>;

/** True if an action is open to something in a state. */
export function allows<Status extends string>(action: Pick<Edge<Status>, 'from'>, status: Status): boolean {
  return action.from.includes(status);
}
