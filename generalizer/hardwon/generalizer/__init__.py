"""The generalizer: what lessons of several projects have in common, found without a model and without a network.

catalogue, cues          the causes that it knows, and how they show in a text
meanings, words           what makes two lessons alike
recognition, evidence    which causes a lesson tells of; all that is known of it
clusters, membership     which lessons tell of one cause
principles, wording      what a rule may say, and which sentence a cluster proposes
opposition, rationale    what speaks against it; why it is proposed, and how sure that is
continuity               how a proposal stays the same from night to night
offline                  the Generalizer that puts these together
"""
