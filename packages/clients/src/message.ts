type Param = string | number | { readonly code: string; readonly params?: Readonly<Record<string, Param>> }

/** A message of the contract's catalogue: its code and the names of its parameters. */
export interface Message<Code extends string, Names extends string> {
  readonly code: Code
  readonly params: Readonly<Record<Names, Param>>
}
