import type { Route, RouteAnswer, RouteInput } from '@kustos/contract/route'
import { type FormErrors, useForm } from '@mantine/form'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { z } from 'zod'
import { ApiError } from '../../app/api-error.ts'
import { sentence } from '../../app/sentences.ts'
import { useUser } from '../../app/session.ts'
import { fieldErrors } from '../field-errors.ts'
import { useUnsavedGuard } from '../use-unsaved-guard.ts'
import { draftOf, dropDraft, keepDraft } from './drafts.ts'
import { focusFirst } from './focus.ts'
import { changedFields, merge, rebase } from './merge.ts'
import { errorsIn } from './rules.ts'
import { useKeptDraft } from './use-kept-draft.ts'

export type BodyRoute = Route & { readonly body: z.ZodObject }

export interface ContractFormOptions<R extends BodyRoute, Source, Values extends object> {
  /** Its body schema is what the form is checked with. */
  readonly route: R
  /** What the form starts from: the record as read, or empty values. Later ones are passed over. */
  readonly source: Source
  readonly toValues: (source: Source) => Values
  readonly toBody: (values: Values, source: Source) => RouteInput<R>['body']
  /** What the schema cannot know, by field; comes before what the schema says. */
  readonly check?: (values: Values) => FormErrors
  /** Where the form names a field otherwise than the body: the form's name by that of the body. */
  readonly fieldOf?: Readonly<Record<string, keyof Values & string>>
  /** Asked before a valid form is sent; it stays as it is where the answer is no. */
  readonly confirm?: (values: Values) => Promise<boolean>
  /** Calls the route. */
  readonly send: (body: RouteInput<R>['body']) => Promise<RouteAnswer<R>>
  /** Says that it was done, and goes where one goes from here. */
  readonly onSaved: (answer: RouteAnswer<R>, values: Values) => void | Promise<void>
  /** Where the form stays open: what it goes on with once these were saved. Without it, with the very same. */
  readonly afterSave?: (saved: Values) => Values
  /** For records that somebody else may change meanwhile (409): reads it anew. */
  readonly loadNewest?: () => Promise<Source>
}

/** What keeps a form from being saved, apart from its fields. */
export interface Trouble {
  readonly kind: 'failed' | 'conflict'
  readonly sentences: readonly string[]
}

/** What came in from elsewhere: somebody's changes, or the input from before a sign-in. */
export type Arrival = 'newest' | 'draft'

/** The state behind ContractForm: values, messages, what went wrong, and the way out of a conflict. */
export function useContractForm<R extends BodyRoute, Source, Values extends object>(
  options: ContractFormOptions<R, Source, Values>,
) {
  const { route, toValues, toBody, send, onSaved, afterSave, loadNewest, check: ownCheck } = options
  const { fieldOf = {}, confirm } = options
  const { pathname } = useLocation()
  const owner = `${useUser()?.id} ${pathname}`
  const root = useRef<HTMLFormElement>(null)

  const [start] = useState(() => {
    const base = toValues(options.source)
    const draft = draftOf(owner, base)
    return { base, draft, merged: draft && merge(draft.base, draft.mine, base) }
  })
  useEffect(dropDraft, [])
  /** What the values are compared with and sent against; read at the moment of sending or leaving. */
  const held = useRef({ source: options.source, base: start.base })

  const form = useForm<Values>({
    initialValues: start.merged?.values ?? start.base,
    validate: (values) => ({
      ...renamed(errorsIn(route.body, toBody(values, held.current.source)), fieldOf),
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

  useKeptDraft(owner, () => {
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
    if (error.status === 401) keepDraft({ owner, base: held.current.base, mine: values })
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
        const answer = await send(toBody(values, held.current.source))
        const base = afterSave?.(values) ?? values
        // What was typed meanwhile, and from here on, is unsaved again.
        form.setValues(rebase(values, getValues(), base))
        held.current.base = base
        setClashes({})
        await onSaved(answer, values)
      } catch (error) {
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
  /** A rule may look at several fields, so that a change of one is a matter of all. */
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
    /** Puts what was typed back in place of somebody else's value. */
    takeMine(name: keyof Values & string) {
      const { [name]: mine, ...others } = clashes
      form.getInputProps(name).onChange(mine)
      setClashes(others as Partial<Values>)
    },
  }
}

export type ContractFormState<Values extends object> = ReturnType<
  typeof useContractForm<BodyRoute, unknown, Values>
>

/** Messages under the form's names; the first of a field counts. */
function renamed(errors: FormErrors, names: Readonly<Record<string, string>>): FormErrors {
  const under: FormErrors = {}
  for (const [name, message] of Object.entries(errors)) under[names[name] ?? name] ??= message
  return under
}

const saidBy = (error: ApiError) => sentence(error.error ?? error.message)
