export { createTag, deleteTag, editTag, mergeTag } from './change-tag.ts'
export { listTags } from './list.ts'
export { asRule, lockGivenTags, lockTagRules, lockTags, readTags, ruleColumns } from './lock-tags.ts'
