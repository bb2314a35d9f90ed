import type { NewTag, Tag } from '@kustos/contract/tags'

export type TagForm = Pick<NewTag, 'name' | 'type' | 'options' | 'color'> & { readonly description: string }

export const emptyForm: TagForm = { name: '', type: 'none', options: [], color: 'grey', description: '' }

export const toForm = ({ name, type, options, color, description }: Tag): TagForm => ({
  name,
  type,
  options,
  color,
  description: description ?? '',
})

/** Values that were listed before another type was chosen are left out. */
export const toBody = (form: TagForm): TagForm => ({
  ...form,
  options: form.type === 'list' ? form.options : [],
})
