"""The generalizer: what lessons of several projects have in common, found without a model and without a network.

catalogue, cues          the causes that it knows, and how they show in a text
meanings, words           what makes two lessons alike
recognition, evidence    which causes a lesson tells of; all that is known of it
candidates, graph        which lessons are worth comparing, and which of them hang together
clusters, signs          which groups of them are likely to tell of one cause
membership, ties         who speaks of the cause by themselves; what people joined and kept apart
wording                  which sentence a cluster proposes
opposition, rationale    what speaks against it; why it is proposed, and how sure that is
continuity               how a proposal stays the same from night to night
offline                  the Generalizer that puts these together
"""
