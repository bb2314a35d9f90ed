import { type FormErrors, useForm } from '@mantine/form'
import { useCallback, useRef, useState } from 'react'
import type { z } from 'zod'
import { ApiError } from '../../platform/api-error.ts'
import { draftOf } from '../../platform/drafts.ts'
import { errorText } from '../../platform/message-text.ts'
import { fieldErrors } from '../field-errors.ts'
import { useAbortOnUnmount } from '../use-abort-on-unmount.ts'
import { useUnsavedGuard } from '../use-unsaved-guard.ts'
import { focusFirst } from './focus.ts'
import { changedFields, merge, rebase } from './merge.ts'
import { errorsIn } from './rules.ts'
import { useDraft, useDraftKey } from './use-draft.ts'

export interface ContractFormOptions<
  Schema extends z.ZodObject,
  Answer,
  Source extends object,
  Values extends object,
> {
  /** The schema of the route's body, which the form is checked with. */
  readonly schema: Schema
  /** What the form starts from: the record as read, or empty values. Later ones are passed over. */
  readonly source: Source
  readonly toValues: (source: Source) => Values
  readonly toBody: (values: Values, source: Source) => z.input<Schema>
  /** What the schema cannot know, by field; comes before what the schema says. */
  readonly check?: (values: Values) => FormErrors
  /** Where the form names a field otherwise than the body: the form's name by that of the body. */
  readonly fieldOf?: Readonly<Record<string, keyof Values & string>>
  /** Asked before a valid form is sent; it stays as it is where the answer is no. */
  readonly confirm?: (values: Values) => Promise<boolean>
  /** Calls the route. The signal is aborted when the form is left: then nothing may be written any more. */
  readonly send: (body: z.input<Schema>, signal: AbortSignal) => Promise<Answer>
  /** Says that it was done, and goes where one goes from here. */
  readonly onSaved: (answer: Answer, values: Values) => void | Promise<void>
  /** Where the form stays open: what it goes on with once these were saved. Without it, with the very same. */
  readonly afterSave?: (saved: Values) => Values
  /** For records that someone else may have changed (409): reads the record again. */
  readonly loadNewest?: () => Promise<Source>
}

/** What keeps a form from being saved, apart from its fields. */
export interface Trouble {
  readonly kind: 'failed' | 'conflict'
  readonly sentences: readonly string[]
}

/** What came from elsewhere: another user's changes, or the input from before a sign-in. */
export type Arrival = 'newest' | 'draft'

/** The state behind ContractForm: values, messages, what went wrong, and the way out of a conflict. */
export function useContractForm<
  Schema extends z.ZodObject,
  Answer,
  Source extends object,
  Values extends object,
>(options: ContractFormOptions<Schema, Answer, Source, Values>) {
  const { schema, toValues, toBody, send, onSaved, afterSave, loadNewest, check: ownCheck } = options
  const { fieldOf = {}, confirm } = options
  const draftKey = useDraftKey(Reflect.get(options.source, 'id'))
  const leaving = useAbortOnUnmount()
  const root = useRef<HTMLFormElement>(null)

  const [start] = useState(() => {
    const base = toValues(options.source)
    const draft = draftOf(draftKey, base)
    return { base, draft, merged: draft && merge(draft.base, draft.mine, base) }
  })
  /** What the values are compared with and sent against; read at the moment of sending or leaving. */
  const held = useRef({ source: options.source, base: start.base })

  const form = useForm<Values>({
    initialValues: start.merged?.values ?? start.base,
    validate: (values) => ({
      ...renamed(errorsIn(schema, toBody(values, held.current.source)), fieldOf),
      ...ownCheck?.(values),
    }),
  })
  const [clashes, setClashes] = useState<Partial<Values>>(start.merged?.clashes ?? {})
  const [arrival, setArrival] = useState<Arrival | undefined>(start.draft && 'draft')
  const [trouble, setTrouble] = useState<Trouble>()
  const [loading, setLoading] = useState(false)
  /** Fields that were left once: from then on they are checked as they change. */
  const left = useRef(new Set<string>())
  /** Fields with a message of the server's, which no check here may wipe away. */
  const refused = useRef(new Set<string>())

  const { getValues } = form
  useUnsavedGuard(useCallback(() => changedFields(held.current.base, getValues()).length > 0, [getValues]))

  useDraft(draftKey, () => {
    const { base } = held.current
    const mine = getValues()
    return changedFields(base, mine).length > 0 ? { base, mine } : null
  })

  function show(errors: FormErrors, fromServer: boolean) {
    const names = Object.keys(errors)
    for (const name of names) left.current.add(name)
    refused.current = new Set(fromServer ? names : [])
    form.setErrors(errors)
    focusFirst(root.current, names)
  }

  function refuse(error: ApiError, values: Values) {
    const { shown, rest } = fieldErrors(error, Object.keys(values), fieldOf)
    show(shown, true)
    if (error.status === 409) setTrouble({ kind: 'conflict', sentences: [saidBy(error)] })
    else if (rest.length > 0) setTrouble({ kind: 'failed', sentences: rest })
    else if (Object.keys(shown).length === 0) setTrouble({ kind: 'failed', sentences: [saidBy(error)] })
  }

  const submit = form.onSubmit(
    async (values) => {
      setTrouble(undefined)
      setArrival(undefined)
      if (confirm !== undefined && !(await confirm(values))) return
      try {
        leaving.throwIfAborted()
        const answer = await send(toBody(values, held.current.source), leaving)
        const base = afterSave?.(values) ?? values
        // Input since the request was sent is unsaved again.
        form.setValues(rebase(values, getValues(), base))
        held.current.base = base
        setClashes({})
        await onSaved(answer, values)
      } catch (error) {
        if (leaving.aborted) return
        if (!(error instanceof ApiError)) throw error
        refuse(error, values)
      }
    },
    (errors) => show(errors, false),
  )

  async function takeNewest() {
    if (loadNewest === undefined) return
    setLoading(true)
    try {
      const source = await loadNewest()
      const newest = toValues(source)
      const merged = merge(held.current.base, form.getValues(), newest)
      held.current = { source, base: newest }
      form.setValues(merged.values)
      setClashes(merged.clashes)
      setTrouble(undefined)
      setArrival('newest')
      focusFirst(root.current, Object.keys(merged.clashes))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble({ kind: 'conflict', sentences: [saidBy(error)] })
    } finally {
      setLoading(false)
    }
  }

  function check(name: string) {
    if (!refused.current.has(name)) form.validateField(name)
  }
  /** A rule may look at several fields, so a change of one is a matter of all. */
  function checkLeft() {
    for (const name of left.current) check(name)
  }

  return {
    form,
    root,
    submit,
    trouble,
    arrival,
    clashes,
    takeNewest: loadNewest && takeNewest,
    loading,
    onLeave(name: string) {
      left.current.add(name)
      check(name)
    },
    onChange(name: string) {
      refused.current.delete(name)
      checkLeft()
    },
    /** Restores what was typed in place of another user's value. */
    takeMine(name: keyof Values & string) {
      const { [name]: mine, ...others } = clashes
      form.getInputProps(name).onChange(mine)
      setClashes(others as Partial<Values>)
    },
  }
}

export type ContractFormState<Values extends object> = ReturnType<
  typeof useContractForm<z.ZodObject, unknown, object, Values>
>

/** Messages under the form's names; the first of a field counts. */
function renamed(errors: FormErrors, names: Readonly<Record<string, string>>): FormErrors {
  const under: FormErrors = {}
  for (const [name, message] of Object.entries(errors)) under[names[name] ?? name] ??= message
  return under
}

const saidBy = (error: ApiError) => errorText(error)
