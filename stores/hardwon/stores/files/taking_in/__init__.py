"""What people and their tools did to the files is noticed, and taken into index and history."""
