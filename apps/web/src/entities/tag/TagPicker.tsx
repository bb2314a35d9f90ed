import { can } from '@kustos/contract/permissions'
import { tagName, tagsRoutes } from '@kustos/contract/tags'
import { Combobox, type InputWrapperProps, Pill, PillsInput, useCombobox } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../platform/api-error.ts'
import { holdWrites } from '../../platform/client.ts'
import { errorText, messageText } from '../../platform/message-text.ts'
import { write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { addTag, newTagType, readTyped, type Suggestion, suggestTags } from './suggest-tags.ts'
import { TagDot } from './TagDot.tsx'
import styles from './tag.module.css'
import { useTags } from './use-tags.ts'

const { createTag, listTags } = tagsRoutes

interface Props
  extends Pick<
    InputWrapperProps,
    'label' | 'description' | 'error' | 'required' | 'className' | 'inputWrapperOrder'
  > {
  readonly value?: readonly string[]
  readonly onChange: (tags: string[]) => void
  readonly onBlur?: () => void
  readonly placeholder?: string
  /** Whether the tags are what something is matched by: then several values of one may be chosen. */
  readonly isCondition?: boolean
}

/** A field for tags. Those who may are offered to add a tag to the catalogue that it lacks. */
export function TagPicker({
  value = [],
  onChange,
  onBlur,
  placeholder,
  error,
  isCondition = false,
  ...wrapper
}: Props) {
  const { t } = useTranslation()
  const mayCreate = can(useUser(), createTag.access)
  const tags = useTags()
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const colors = new Map(tags.map(({ name, color }) => [name, color]))
  const suggestions = suggestTags(tags, typed, value)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the options have changed with the text
  useEffect(() => {
    if (typed === '') combobox.resetSelectedOption()
    else combobox.selectFirstOption()
  }, [typed])

  // The field may change while a tag is added to the catalogue.
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  function change(tags: string[]) {
    latest.current.value = tags
    latest.current.onChange(tags)
  }
  const remove = (tag: string) => change(latest.current.value.filter((held) => held !== tag))

  async function add({ tag, known }: Suggestion) {
    setFailure(null)
    setTyped('')
    // At once, so that a form that is sent meanwhile has it.
    change(addTag(latest.current.value, tag, isCondition))
    if (known !== undefined) return
    try {
      await holdWrites(write(createTag, { body: { name: tagName(tag), type: newTagType(tag) } }, [listTags]))
    } catch (thrown) {
      // Someone else has added it at the same time.
      if (isTaken(thrown)) return
      setFailure(errorText(thrown))
      remove(tag)
      setTyped((next) => next || tag)
    }
  }
  /** A known tag that was typed is meant, though it was not chosen. */
  function leave() {
    if (typed.trim() === '') return setFailure(null)
    const [first] = suggestions
    if (first?.known && first.error === undefined && first.tag === readTyped(typed)) void add(first)
    else setFailure(t('tags.picker.unfinished'))
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(tag) => {
        const chosen = suggestions.find((one) => one.tag === tag)
        if (chosen) void add(chosen)
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput {...wrapper} error={failure ?? error} onClick={() => combobox.openDropdown()}>
          <Pill.Group>
            {value.map((tag) => (
              <Pill
                key={tag}
                withRemoveButton
                onRemove={() => remove(tag)}
                removeButtonProps={{ 'aria-label': t('tags.picker.remove', { tag }), 'aria-hidden': false }}
              >
                <span className={styles.option}>
                  <TagDot color={colors.get(tagName(tag)) ?? 'grey'} />
                  {tag}
                </span>
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                value={typed}
                placeholder={value.length === 0 ? placeholder : ''}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => {
                  combobox.closeDropdown()
                  leave()
                  onBlur?.()
                }}
                onChange={({ currentTarget }) => {
                  setTyped(currentTarget.value)
                  setFailure(null)
                  combobox.openDropdown()
                }}
                onKeyDown={(event) => {
                  const last = value.at(-1)
                  if (event.key !== 'Backspace' || typed !== '' || last === undefined) return
                  event.preventDefault()
                  remove(last)
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={260} style={{ overflowY: 'auto' }}>
          {suggestions.map((suggestion) => (
            <TagOption key={suggestion.tag} suggestion={suggestion} mayCreate={mayCreate} />
          ))}
          {suggestions.length === 0 && <Combobox.Empty>{t('tags.picker.none')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function TagOption({
  suggestion: { tag, known, error },
  mayCreate,
}: {
  readonly suggestion: Suggestion
  readonly mayCreate: boolean
}) {
  const { t } = useTranslation()
  if (known === undefined)
    return (
      <Combobox.Option value={tag} disabled={!mayCreate}>
        {t(mayCreate ? 'tags.picker.create' : 'tags.picker.unknown', { tag })}
      </Combobox.Option>
    )
  const { name, type } = known
  const isOpen = type !== 'none' && type !== 'list' && tag === name
  const hint = isOpen ? t(`tags.picker.values.${type}`, { name }) : known.description
  return (
    <Combobox.Option value={tag} disabled={error !== undefined}>
      <span className={styles.option}>
        <TagDot color={known.color} />
        <span className={styles.text}>{tag}</span>
        <span className={styles.hint}>{error === undefined ? hint : messageText(error)}</span>
      </span>
    </Combobox.Option>
  )
}

const isTaken = (thrown: unknown) =>
  thrown instanceof ApiError && thrown.errorCodes.name?.some(({ code }) => code === 'tag_taken') === true
